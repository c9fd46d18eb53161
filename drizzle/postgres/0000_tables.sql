CREATE TABLE "access" (
	"member_id" text collate "C" NOT NULL,
	"project_id" text collate "C" NOT NULL,
	CONSTRAINT "access_member_id_project_id_pk" PRIMARY KEY("member_id","project_id")
);
--> statement-breakpoint
CREATE TABLE "accounts" (
	"id" text collate "C" PRIMARY KEY NOT NULL,
	"name" text collate "C" NOT NULL,
	"plan" text collate "C" NOT NULL,
	"limits" text NOT NULL,
	"credential_policy" text collate "C" DEFAULT 'reject' NOT NULL,
	"subscribed_at" bigint,
	"subscribed_until" bigint,
	"suspended_at" bigint,
	"created_at" bigint NOT NULL,
	CONSTRAINT "accounts_name_unique" UNIQUE("name")
);
--> statement-breakpoint
CREATE TABLE "control_version" (
	"one" boolean PRIMARY KEY NOT NULL,
	"version" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "departments" (
	"id" text collate "C" PRIMARY KEY NOT NULL,
	"account_id" text collate "C" NOT NULL,
	"name" text collate "C" NOT NULL,
	"created_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "keys" (
	"id" text collate "C" PRIMARY KEY NOT NULL,
	"digest" text collate "C" NOT NULL,
	"shown" text collate "C" NOT NULL,
	"label" text collate "C" NOT NULL,
	"project_id" text collate "C" NOT NULL,
	"member_id" text collate "C",
	"tool_names" text collate "C" NOT NULL,
	"created_at" bigint NOT NULL,
	"expires_at" bigint,
	"revoked_at" bigint,
	"last_used_at" bigint,
	CONSTRAINT "keys_digest_unique" UNIQUE("digest")
);
--> statement-breakpoint
CREATE TABLE "members" (
	"id" text collate "C" PRIMARY KEY NOT NULL,
	"account_id" text collate "C" NOT NULL,
	"email" text collate "C" NOT NULL,
	"name" text collate "C" NOT NULL,
	"role" text collate "C" NOT NULL,
	"department_id" text collate "C",
	"created_at" bigint NOT NULL,
	"removed_at" bigint
);
--> statement-breakpoint
CREATE TABLE "projects" (
	"id" text collate "C" PRIMARY KEY NOT NULL,
	"account_id" text collate "C" NOT NULL,
	"name" text collate "C" NOT NULL,
	"created_at" bigint NOT NULL,
	"removed_at" bigint
);
--> statement-breakpoint
CREATE TABLE "browsers" (
	"digest" text collate "C" PRIMARY KEY NOT NULL,
	"member_id" text collate "C" NOT NULL,
	"used_at" bigint NOT NULL,
	"number" bigserial NOT NULL
);
--> statement-breakpoint
CREATE TABLE "email_changes" (
	"member_id" text collate "C" PRIMARY KEY NOT NULL,
	"email" text collate "C" NOT NULL,
	"requested_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "entry_links" (
	"digest" text collate "C" PRIMARY KEY NOT NULL,
	"member_id" text collate "C" NOT NULL,
	"made_by" text collate "C",
	"created_at" bigint NOT NULL,
	"expires_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "invitations" (
	"id" text collate "C" PRIMARY KEY NOT NULL,
	"digest" text collate "C" NOT NULL,
	"account_id" text collate "C" NOT NULL,
	"email" text collate "C" NOT NULL,
	"role" text collate "C" NOT NULL,
	"department_id" text collate "C",
	"made_by" text collate "C",
	"created_at" bigint NOT NULL,
	"expires_at" bigint NOT NULL,
	CONSTRAINT "invitations_digest_unique" UNIQUE("digest")
);
--> statement-breakpoint
CREATE TABLE "passwords" (
	"member_id" text collate "C" PRIMARY KEY NOT NULL,
	"hash" text collate "C" NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sessions" (
	"id" text collate "C" PRIMARY KEY NOT NULL,
	"digest" text collate "C" NOT NULL,
	"member_id" text collate "C" NOT NULL,
	"client_ip" text collate "C",
	"created_at" bigint NOT NULL,
	"expires_at" bigint NOT NULL,
	"number" bigserial NOT NULL,
	CONSTRAINT "sessions_digest_unique" UNIQUE("digest")
);
--> statement-breakpoint
CREATE TABLE "connections" (
	"id" text collate "C" PRIMARY KEY NOT NULL,
	"token_digest" text collate "C" NOT NULL,
	"code_digest" text collate "C" NOT NULL,
	"client_id" text collate "C" NOT NULL,
	"client_name" text collate "C" NOT NULL,
	"client_host" text collate "C" NOT NULL,
	"key_id" text collate "C" NOT NULL,
	"resource" text collate "C" NOT NULL,
	"created_at" bigint NOT NULL,
	"expires_at" bigint NOT NULL,
	"revoked_at" bigint,
	"last_used_at" bigint,
	CONSTRAINT "connections_tokenDigest_unique" UNIQUE("token_digest"),
	CONSTRAINT "connections_codeDigest_unique" UNIQUE("code_digest")
);
--> statement-breakpoint
CREATE TABLE "grants" (
	"digest" text collate "C" PRIMARY KEY NOT NULL,
	"stage" text collate "C" NOT NULL,
	"client_id" text collate "C" NOT NULL,
	"key_id" text collate "C" NOT NULL,
	"redirect_uri" text collate "C" NOT NULL,
	"resource" text collate "C" NOT NULL,
	"challenge" text collate "C" NOT NULL,
	"state" text collate "C",
	"expires_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "oauth_clients" (
	"id" text collate "C" PRIMARY KEY NOT NULL,
	"kind" text collate "C" NOT NULL,
	"name" text collate "C" NOT NULL,
	"redirect_uris" text NOT NULL,
	"secret_digest" text collate "C",
	"read_at" bigint NOT NULL,
	"used_at" bigint
);
--> statement-breakpoint
CREATE TABLE "enabled_integrations" (
	"integration_id" text collate "C" NOT NULL,
	"project_id" text collate "C" NOT NULL,
	CONSTRAINT "enabled_integrations_integration_id_project_id_pk" PRIMARY KEY("integration_id","project_id")
);
--> statement-breakpoint
CREATE TABLE "integrations" (
	"id" text collate "C" PRIMARY KEY NOT NULL,
	"account_id" text collate "C" NOT NULL,
	"slug" text collate "C" NOT NULL,
	"name" text collate "C" NOT NULL,
	"url" text collate "C" NOT NULL,
	"headers" text collate "C" NOT NULL,
	"mode" text collate "C" NOT NULL,
	"tools" text,
	"timeout_ms" integer NOT NULL,
	"max_bytes" integer NOT NULL,
	"stateful" boolean DEFAULT false NOT NULL,
	"created_at" bigint NOT NULL,
	"accepted_at" bigint
);
--> statement-breakpoint
CREATE TABLE "tool_lists" (
	"integration_id" text collate "C" PRIMARY KEY NOT NULL,
	"tools" text NOT NULL,
	"accepted" text NOT NULL,
	"withheld" integer DEFAULT 0 NOT NULL,
	"ttl_ms" bigint NOT NULL,
	"fetched_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "audit" (
	"seq" bigserial PRIMARY KEY NOT NULL,
	"at" bigint NOT NULL,
	"account_id" text collate "C",
	"project_id" text collate "C",
	"actor" text collate "C" NOT NULL,
	"act" text collate "C" NOT NULL,
	"target" text collate "C",
	"via" text collate "C",
	"outcome" text collate "C" NOT NULL,
	"details" text NOT NULL,
	"scope" text collate "C"
);
--> statement-breakpoint
CREATE TABLE "audience_stats" (
	"project_id" text collate "C" NOT NULL,
	"workspace_id" integer NOT NULL,
	"audience" text collate "C" NOT NULL,
	"records" integer NOT NULL,
	"length" bigint NOT NULL,
	CONSTRAINT "audience_stats_project_id_workspace_id_audience_pk" PRIMARY KEY("project_id","workspace_id","audience")
);
--> statement-breakpoint
CREATE TABLE "imported_sources" (
	"project_id" text collate "C" NOT NULL,
	"root" text collate "C" NOT NULL,
	"workspace_id" integer NOT NULL,
	"source_id" text collate "C" NOT NULL,
	CONSTRAINT "imported_sources_project_id_root_workspace_id_source_id_pk" PRIMARY KEY("project_id","root","workspace_id","source_id")
);
--> statement-breakpoint
CREATE TABLE "languages" (
	"project_id" text collate "C" NOT NULL,
	"workspace_id" integer NOT NULL,
	"audience" text collate "C" NOT NULL,
	"language" text collate "C" NOT NULL,
	"records" integer NOT NULL,
	CONSTRAINT "languages_project_id_workspace_id_audience_language_pk" PRIMARY KEY("project_id","workspace_id","audience","language")
);
--> statement-breakpoint
CREATE TABLE "postings" (
	"project_id" text collate "C" NOT NULL,
	"audience" text collate "C" NOT NULL,
	"term" text collate "C" NOT NULL,
	"seq" integer NOT NULL,
	"workspace_id" integer NOT NULL,
	CONSTRAINT "postings_project_id_audience_term_seq_workspace_id_pk" PRIMARY KEY("project_id","audience","term","seq","workspace_id")
);
--> statement-breakpoint
CREATE TABLE "project_state" (
	"project_id" text collate "C" PRIMARY KEY NOT NULL,
	"version" bigint DEFAULT 0 NOT NULL,
	"records" integer DEFAULT 0 NOT NULL,
	"content_bytes" bigint DEFAULT 0 NOT NULL,
	"save_sequence" bigint DEFAULT 0 NOT NULL,
	"last_seq" integer DEFAULT 0 NOT NULL,
	"last_workspace_id" integer DEFAULT 0 NOT NULL,
	"rules" integer,
	"target" integer,
	"reached" integer
);
--> statement-breakpoint
CREATE TABLE "recent_states" (
	"project_id" text collate "C" NOT NULL,
	"record_id" text collate "C" NOT NULL,
	"hash" text collate "C" NOT NULL,
	"saved_at" bigint NOT NULL,
	CONSTRAINT "recent_states_project_id_record_id_hash_pk" PRIMARY KEY("project_id","record_id","hash")
);
--> statement-breakpoint
CREATE TABLE "records" (
	"project_id" text collate "C" NOT NULL,
	"seq" integer NOT NULL,
	"id" text collate "C" NOT NULL,
	"workspace_id" integer NOT NULL,
	"audience" text collate "C" NOT NULL,
	"author_id" text collate "C" NOT NULL,
	"content" text collate "C" NOT NULL,
	"content_bytes" integer NOT NULL,
	"content_hash" bigint NOT NULL,
	"length" integer NOT NULL,
	"codes" "bytea",
	"terms" text collate "C" NOT NULL,
	"language" text collate "C" NOT NULL,
	"fact_key" text collate "C" NOT NULL,
	"fact_key_given" boolean NOT NULL,
	"compared_key" text collate "C" NOT NULL,
	"status" text collate "C" NOT NULL,
	"superseded_by" text collate "C",
	"source_id" text collate "C",
	"source_name" text collate "C",
	"source_hash" text collate "C",
	"created_at" bigint NOT NULL,
	"expires_at" bigint,
	"forgotten_at" bigint,
	"refreshed_at" bigint,
	"saved_at" bigint GENERATED ALWAYS AS (coalesce(refreshed_at, created_at)) STORED NOT NULL,
	"verified_at" bigint,
	"ranked_at" bigint GENERATED ALWAYS AS (coalesce(verified_at, created_at)) STORED NOT NULL,
	"needs_review" boolean NOT NULL,
	CONSTRAINT "records_project_id_seq_pk" PRIMARY KEY("project_id","seq")
);
--> statement-breakpoint
CREATE TABLE "releases" (
	"project_id" text collate "C" NOT NULL,
	"hash" text collate "C" NOT NULL,
	"state" text collate "C" NOT NULL,
	"text" text collate "C",
	"reason" text collate "C",
	"why" text collate "C",
	"asked_by" text collate "C",
	"asked_at" bigint,
	"decided_by" text collate "C",
	"decided_at" bigint,
	CONSTRAINT "releases_project_id_hash_pk" PRIMARY KEY("project_id","hash")
);
--> statement-breakpoint
CREATE TABLE "sources" (
	"project_id" text collate "C" NOT NULL,
	"workspace_id" integer NOT NULL,
	"source_id" text collate "C" NOT NULL,
	"audience" text collate "C" NOT NULL,
	"hash" text collate "C" NOT NULL,
	"save_sequence" bigint NOT NULL,
	CONSTRAINT "sources_project_id_workspace_id_source_id_audience_pk" PRIMARY KEY("project_id","workspace_id","source_id","audience")
);
--> statement-breakpoint
CREATE TABLE "vocabulary" (
	"project_id" text collate "C" NOT NULL,
	"audience" text collate "C" NOT NULL,
	"term" text collate "C" NOT NULL,
	"records" integer NOT NULL,
	CONSTRAINT "vocabulary_project_id_audience_term_pk" PRIMARY KEY("project_id","audience","term")
);
--> statement-breakpoint
CREATE TABLE "workspace_audiences" (
	"project_id" text collate "C" NOT NULL,
	"workspace_id" integer NOT NULL,
	"audience" text collate "C" NOT NULL,
	"name" text collate "C",
	CONSTRAINT "workspace_audiences_project_id_workspace_id_audience_pk" PRIMARY KEY("project_id","workspace_id","audience")
);
--> statement-breakpoint
CREATE TABLE "workspaces" (
	"project_id" text collate "C" NOT NULL,
	"id" integer NOT NULL,
	"name" text collate "C" NOT NULL,
	"created_at" bigint NOT NULL,
	"removed_at" bigint,
	CONSTRAINT "workspaces_project_id_id_pk" PRIMARY KEY("project_id","id")
);
--> statement-breakpoint
CREATE TABLE "history_blocks" (
	"project_id" text collate "C" NOT NULL,
	"id" integer NOT NULL,
	"owner_id" text collate "C" NOT NULL,
	"raw_bytes" integer NOT NULL,
	"stale" boolean DEFAULT false NOT NULL,
	"data" "bytea" NOT NULL,
	CONSTRAINT "history_blocks_project_id_id_pk" PRIMARY KEY("project_id","id")
);
--> statement-breakpoint
CREATE TABLE "history_generations" (
	"project_id" text collate "C" NOT NULL,
	"source_id" text collate "C" NOT NULL,
	"generation" integer NOT NULL,
	"raw_end" bigint NOT NULL,
	"chain" text collate "C" NOT NULL,
	"lines" integer NOT NULL,
	"erased_lines" integer NOT NULL,
	"last_at" bigint,
	CONSTRAINT "history_generations_project_id_source_id_generation_pk" PRIMARY KEY("project_id","source_id","generation")
);
--> statement-breakpoint
CREATE TABLE "history_lines" (
	"project_id" text collate "C" NOT NULL,
	"segment_id" integer NOT NULL,
	"place" integer NOT NULL,
	"record_id" integer NOT NULL,
	CONSTRAINT "history_lines_project_id_segment_id_place_pk" PRIMARY KEY("project_id","segment_id","place")
);
--> statement-breakpoint
CREATE TABLE "history_owners" (
	"project_id" text collate "C" NOT NULL,
	"owner_id" text collate "C" NOT NULL,
	"bytes" bigint NOT NULL,
	"received_at" bigint,
	CONSTRAINT "history_owners_project_id_owner_id_pk" PRIMARY KEY("project_id","owner_id")
);
--> statement-breakpoint
CREATE TABLE "history_records" (
	"project_id" text collate "C" NOT NULL,
	"id" integer NOT NULL,
	"key" text collate "C" NOT NULL,
	"block_id" integer NOT NULL,
	"at" integer NOT NULL,
	"length" integer NOT NULL,
	CONSTRAINT "history_records_project_id_id_pk" PRIMARY KEY("project_id","id")
);
--> statement-breakpoint
CREATE TABLE "history_segments" (
	"project_id" text collate "C" NOT NULL,
	"id" integer NOT NULL,
	"source_id" text collate "C" NOT NULL,
	"generation" integer NOT NULL,
	"raw_start" bigint NOT NULL,
	"raw_end" bigint NOT NULL,
	"digest" text collate "C" NOT NULL,
	"chain" text collate "C" NOT NULL,
	"first_line" integer,
	"lines" integer NOT NULL,
	"rules" text collate "C" NOT NULL,
	"received_at" bigint NOT NULL,
	CONSTRAINT "history_segments_project_id_id_pk" PRIMARY KEY("project_id","id")
);
--> statement-breakpoint
CREATE TABLE "history_sources" (
	"project_id" text collate "C" NOT NULL,
	"id" text collate "C" NOT NULL,
	"owner_id" text collate "C" NOT NULL,
	"device" text collate "C" NOT NULL,
	"assistant" text collate "C" NOT NULL,
	"source_key" text collate "C" NOT NULL,
	"session_id" text collate "C" NOT NULL,
	"kind" text collate "C" NOT NULL,
	"parent_session_id" text collate "C",
	"cwd" text collate "C",
	"git_branch" text collate "C",
	"app_version" text collate "C",
	"title" text collate "C",
	"first_at" bigint,
	"last_at" bigint,
	"created_at" bigint NOT NULL,
	"received_at" bigint,
	"active_at" bigint NOT NULL,
	"generation" integer NOT NULL,
	"shown" integer NOT NULL,
	"lines" integer NOT NULL,
	"erased_at" bigint,
	"closed_at" bigint,
	"forgotten_at" bigint,
	CONSTRAINT "history_sources_project_id_id_pk" PRIMARY KEY("project_id","id")
);
--> statement-breakpoint
CREATE TABLE "history_state" (
	"project_id" text collate "C" PRIMARY KEY NOT NULL,
	"last_segment_id" integer DEFAULT 0 NOT NULL,
	"last_record_id" integer DEFAULT 0 NOT NULL,
	"last_block_id" integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX "departments_by_name" ON "departments" USING btree ("account_id","name");--> statement-breakpoint
CREATE INDEX "keys_by_project" ON "keys" USING btree ("project_id","created_at");--> statement-breakpoint
CREATE INDEX "keys_by_member" ON "keys" USING btree ("member_id","project_id","created_at");--> statement-breakpoint
CREATE INDEX "keys_by_shown" ON "keys" USING btree ("shown");--> statement-breakpoint
CREATE UNIQUE INDEX "members_by_address" ON "members" USING btree ("account_id","email") WHERE removed_at is null;--> statement-breakpoint
CREATE INDEX "members_by_email" ON "members" USING btree ("email") WHERE removed_at is null;--> statement-breakpoint
CREATE UNIQUE INDEX "projects_by_name" ON "projects" USING btree ("account_id","name") WHERE removed_at is null;--> statement-breakpoint
CREATE INDEX "browsers_by_member" ON "browsers" USING btree ("member_id","used_at");--> statement-breakpoint
CREATE INDEX "browsers_by_use" ON "browsers" USING btree ("used_at");--> statement-breakpoint
CREATE INDEX "invitations_by_account" ON "invitations" USING btree ("account_id");--> statement-breakpoint
CREATE INDEX "sessions_by_member" ON "sessions" USING btree ("member_id");--> statement-breakpoint
CREATE INDEX "sessions_by_end" ON "sessions" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "connections_by_key" ON "connections" USING btree ("key_id");--> statement-breakpoint
CREATE INDEX "enabled_by_project" ON "enabled_integrations" USING btree ("project_id");--> statement-breakpoint
CREATE UNIQUE INDEX "integrations_by_slug" ON "integrations" USING btree ("account_id","slug");--> statement-breakpoint
CREATE INDEX "audit_by_account" ON "audit" USING btree ("account_id","seq");--> statement-breakpoint
CREATE INDEX "audit_by_act" ON "audit" USING btree ("account_id","act","seq");--> statement-breakpoint
CREATE INDEX "audit_by_project" ON "audit" USING btree ("project_id","act","seq") WHERE project_id is not null;--> statement-breakpoint
CREATE INDEX "audit_rejections" ON "audit" USING btree ("project_id","scope","seq") WHERE act = 'record.reject';--> statement-breakpoint
CREATE INDEX "audit_rejections_by" ON "audit" USING btree ("project_id","actor","seq") WHERE act = 'record.reject';--> statement-breakpoint
CREATE INDEX "audit_by_time" ON "audit" USING btree ("at");--> statement-breakpoint
CREATE INDEX "recent_states_by_time" ON "recent_states" USING btree ("project_id","saved_at");--> statement-breakpoint
CREATE UNIQUE INDEX "records_by_id" ON "records" USING btree ("project_id","id");--> statement-breakpoint
CREATE INDEX "records_by_content" ON "records" USING btree ("project_id","content_hash","seq");--> statement-breakpoint
CREATE INDEX "records_by_key" ON "records" USING btree ("project_id","compared_key","workspace_id","audience","status","ranked_at","seq") WHERE forgotten_at is null;--> statement-breakpoint
CREATE INDEX "records_by_superseder" ON "records" USING btree ("project_id","superseded_by","seq") WHERE superseded_by is not null;--> statement-breakpoint
CREATE INDEX "records_by_source" ON "records" USING btree ("project_id","workspace_id","source_id","audience","seq") WHERE source_id is not null;--> statement-breakpoint
CREATE INDEX "records_by_source_name" ON "records" USING btree ("project_id","source_name") WHERE source_id is not null and forgotten_at is null;--> statement-breakpoint
CREATE INDEX "records_by_workspace" ON "records" USING btree ("project_id","workspace_id","seq");--> statement-breakpoint
CREATE INDEX "records_by_forgotten" ON "records" USING btree ("project_id","forgotten_at","seq") WHERE forgotten_at is not null;--> statement-breakpoint
CREATE INDEX "records_to_review" ON "records" USING btree ("project_id","forgotten_at") WHERE needs_review;--> statement-breakpoint
CREATE INDEX "records_by_status" ON "records" USING btree ("project_id","status","seq") WHERE status <> 'unverified' and forgotten_at is null;--> statement-breakpoint
CREATE INDEX "records_by_audience" ON "records" USING btree ("project_id","audience","seq") WHERE audience <> '*' and forgotten_at is null;--> statement-breakpoint
CREATE INDEX "records_by_saved" ON "records" USING btree ("project_id","saved_at","seq","workspace_id","audience") WHERE forgotten_at is null;--> statement-breakpoint
CREATE INDEX "releases_by_state" ON "releases" USING btree ("project_id","state","asked_by");--> statement-breakpoint
CREATE INDEX "workspace_audiences_by_name" ON "workspace_audiences" USING btree ("project_id","audience","name") WHERE name is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "workspaces_by_name" ON "workspaces" USING btree ("project_id","name") WHERE removed_at is null;--> statement-breakpoint
CREATE INDEX "workspaces_removed" ON "workspaces" USING btree ("project_id","id") WHERE removed_at is not null;--> statement-breakpoint
CREATE INDEX "history_blocks_stale" ON "history_blocks" USING btree ("project_id","id") WHERE stale;--> statement-breakpoint
CREATE INDEX "history_generations_erased" ON "history_generations" USING btree ("project_id","source_id","generation") WHERE erased_lines > 0;--> statement-breakpoint
CREATE INDEX "history_lines_by_record" ON "history_lines" USING btree ("project_id","record_id");--> statement-breakpoint
CREATE UNIQUE INDEX "history_records_by_key" ON "history_records" USING btree ("project_id","key");--> statement-breakpoint
CREATE INDEX "history_records_by_block" ON "history_records" USING btree ("project_id","block_id","at");--> statement-breakpoint
CREATE UNIQUE INDEX "history_segments_by_place" ON "history_segments" USING btree ("project_id","source_id","generation","raw_start") WHERE first_line is not null;--> statement-breakpoint
CREATE INDEX "history_segments_by_line" ON "history_segments" USING btree ("project_id","source_id","generation","first_line") WHERE first_line is not null;--> statement-breakpoint
CREATE INDEX "history_segments_unkept" ON "history_segments" USING btree ("project_id","received_at") WHERE first_line is null;--> statement-breakpoint
CREATE UNIQUE INDEX "history_sources_by_key" ON "history_sources" USING btree ("project_id","owner_id","assistant","source_key") WHERE forgotten_at is null;--> statement-breakpoint
CREATE INDEX "history_sources_by_activity" ON "history_sources" USING btree ("project_id","owner_id","active_at","id") WHERE lines > 0 and forgotten_at is null;--> statement-breakpoint
CREATE INDEX "history_sources_by_parent" ON "history_sources" USING btree ("project_id","owner_id","assistant","parent_session_id");--> statement-breakpoint
CREATE INDEX "history_sources_by_arrival" ON "history_sources" USING btree ("project_id","received_at") WHERE lines > 0 and forgotten_at is null;--> statement-breakpoint
CREATE INDEX "history_sources_forgotten" ON "history_sources" USING btree ("project_id","forgotten_at") WHERE forgotten_at is not null;