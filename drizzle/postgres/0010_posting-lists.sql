-- Posting lists as blocks of record numbers, in the place of a row for each term of each record.
CREATE TABLE "posting_lists" (
	"project_id" text collate "C" NOT NULL,
	"audience" text collate "C" NOT NULL,
	"term" text collate "C" NOT NULL,
	"workspace_id" integer NOT NULL,
	"block" integer NOT NULL,
	"records" integer NOT NULL,
	"seqs" "bytea" NOT NULL,
	CONSTRAINT "posting_lists_project_id_audience_term_workspace_id_block_pk" PRIMARY KEY("project_id","audience","term","workspace_id","block")
);
--> statement-breakpoint
ALTER TABLE "postings" NO FORCE ROW LEVEL SECURITY;
--> statement-breakpoint
INSERT INTO "posting_lists" ("project_id", "audience", "term", "workspace_id", "block", "records", "seqs")
SELECT project_id, audience, term, workspace_id, min(seq), count(*), string_agg(int4send(seq), ''::bytea ORDER BY seq)
FROM (
  SELECT project_id, audience, term, workspace_id, seq,
    (row_number() OVER (PARTITION BY project_id, audience, term, workspace_id ORDER BY seq) - 1) / 256 AS part
  FROM "postings"
) AS numbered
GROUP BY project_id, audience, term, workspace_id, part;
--> statement-breakpoint
ALTER TABLE "posting_lists" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE "posting_lists" FORCE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE POLICY one_project ON "posting_lists" USING (project_id = current_setting('memsvc.project_id', true)) WITH CHECK (project_id = current_setting('memsvc.project_id', true));
