-- A path may be longer than what an index takes of a row: its digest stands in the key.
ALTER TABLE "imported_sources" ADD COLUMN "root_digest" text collate "C";
--> statement-breakpoint
-- The rows of every project, which the policy would hide from this.
ALTER TABLE "imported_sources" NO FORCE ROW LEVEL SECURITY;
--> statement-breakpoint
UPDATE "imported_sources" SET "root_digest" = encode(sha256(convert_to("root", 'UTF8')), 'hex');
--> statement-breakpoint
ALTER TABLE "imported_sources" FORCE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE "imported_sources" ALTER COLUMN "root_digest" SET NOT NULL;
--> statement-breakpoint
ALTER TABLE "imported_sources" DROP CONSTRAINT "imported_sources_project_id_root_workspace_id_source_id_pk";
--> statement-breakpoint
ALTER TABLE "imported_sources" ADD CONSTRAINT "imported_sources_project_id_root_digest_workspace_id_source_id_pk" PRIMARY KEY("project_id","root_digest","workspace_id","source_id");
