"""The memory of past tasks as an MCP server on standard input and output."""
