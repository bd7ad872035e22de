-- Where the sample begins.
CREATE TABLE {schema}sample (id {text} PRIMARY KEY, n {integer} NOT NULL); -- 100 % of it: a table
CREATE INDEX sample_n ON {schema}sample (n);
INSERT INTO {schema}sample (id, n) VALUES ('old', 1);
