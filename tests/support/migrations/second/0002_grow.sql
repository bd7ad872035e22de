-- What a later version adds.
ALTER TABLE {schema}sample ADD COLUMN note {text};
UPDATE {schema}sample SET note = 'from before';
