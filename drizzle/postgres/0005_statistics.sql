DROP INDEX "records_by_saved";--> statement-breakpoint
CREATE INDEX "records_by_expiry" ON "records" USING btree ("project_id","expires_at") WHERE expires_at is not null and forgotten_at is null;--> statement-breakpoint
CREATE INDEX "records_by_saved" ON "records" USING btree ("project_id","saved_at","seq","workspace_id","audience","status","author_id","expires_at") WHERE forgotten_at is null;