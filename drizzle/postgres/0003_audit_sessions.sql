DROP INDEX "audit_by_account";--> statement-breakpoint
DROP INDEX "audit_by_act";--> statement-breakpoint
DROP INDEX "audit_by_project";--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "device" text collate "C";--> statement-breakpoint
CREATE INDEX "audit_by_actor" ON "audit" USING btree ("account_id","actor","at","seq");--> statement-breakpoint
CREATE INDEX "audit_by_account" ON "audit" USING btree ("account_id","at","seq");--> statement-breakpoint
CREATE INDEX "audit_by_act" ON "audit" USING btree ("account_id","act","at","seq");--> statement-breakpoint
CREATE INDEX "audit_by_project" ON "audit" USING btree ("account_id","project_id","at","seq") WHERE project_id is not null;