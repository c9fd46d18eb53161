-- A line of the audit log is never changed; it is erased only when it is old.
CREATE TRIGGER audit_append_only BEFORE UPDATE ON audit BEGIN SELECT RAISE(ABORT, 'the audit log is append only'); END;
