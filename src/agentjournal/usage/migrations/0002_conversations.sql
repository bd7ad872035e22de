-- What a report adds up, in the order of conversations: a million calls without sorting; touches by time.

CREATE INDEX completion_conversation ON {schema}completion (
  component, owner, thread, attempt, project, task, model, at, id,
  input_total, cache_read, cache_write, cache_write_1h, output, violations
);

CREATE INDEX file_touch_at ON {schema}file_touch (at, id);
