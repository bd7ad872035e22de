-- Half of it works.
INSERT INTO {schema}sample (id, n) VALUES ('new', 2);
INSERT INTO {schema}sample (id, n) VALUES ('old', 3);
