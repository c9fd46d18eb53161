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
	"marked_policy" text collate "C" DEFAULT 'caution' NOT NULL,
	"subscribed_at" bigint,
	"subscribed_until" bigint,
	"suspended_at" bigint,
	"removed_at" bigint,
	"created_at" bigint NOT NULL,
	CONSTRAINT "accounts_name_unique" UNIQUE("name")
);
--> statement-breakpoint
CREATE TABLE "project_numbers" (
	"id" text collate "C" PRIMARY KEY NOT NULL,
	"number" integer DEFAULT 1 + floor(random() * 2147483646) NOT NULL,
	CONSTRAINT "project_numbers_number_unique" UNIQUE("number")
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
	"reads_histories" boolean DEFAULT true NOT NULL,
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
	"history_access" text collate "C" DEFAULT 'unconfirmed' NOT NULL,
	"created_at" bigint NOT NULL,
	"removed_at" bigint
);
--> statement-breakpoint
CREATE TABLE "projects" (
	"id" text collate "C" PRIMARY KEY NOT NULL,
	"account_id" text collate "C" NOT NULL,
	"name" text collate "C" NOT NULL,
	"created_at" bigint NOT NULL,
	"removed_at" bigint,
	"credential_rules" text collate "C",
	"keeps_questions" boolean DEFAULT false NOT NULL
);
--> statement-breakpoint
CREATE TABLE "browsers" (
	"digest" text collate "C" PRIMARY KEY NOT NULL,
	"member_id" text collate "C" NOT NULL,
	"used_at" bigint NOT NULL
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
	"project_ids" text NOT NULL,
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
	"device" text collate "C",
	"created_at" bigint NOT NULL,
	"expires_at" bigint NOT NULL,
	CONSTRAINT "sessions_digest_unique" UNIQUE("digest")
);
--> statement-breakpoint
CREATE TABLE "call_errors" (
	"seq" bigserial PRIMARY KEY NOT NULL,
	"at" bigint NOT NULL,
	"account_id" text collate "C" NOT NULL,
	"project_id" text collate "C" NOT NULL,
	"author_id" text collate "C" NOT NULL,
	"key_id" text collate "C" NOT NULL,
	"tool" text collate "C" NOT NULL,
	"outcome" text collate "C" NOT NULL,
	"reason" text collate "C" NOT NULL,
	"calls" integer NOT NULL
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
	"unpicked" text DEFAULT '[]' NOT NULL,
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
CREATE TABLE "usage_daily" (
	"project_id" text collate "C" NOT NULL,
	"day" integer NOT NULL,
	"tool" text collate "C" NOT NULL,
	"outcome" text collate "C" NOT NULL,
	"key_id" text collate "C" NOT NULL,
	"duration_ms" integer NOT NULL,
	"calls" bigint NOT NULL,
	CONSTRAINT "usage_daily_project_id_day_tool_key_id_outcome_duration_ms_pk" PRIMARY KEY("project_id","day","tool","key_id","outcome","duration_ms")
);
--> statement-breakpoint
CREATE TABLE "window_answers" (
	"instance" text collate "C" PRIMARY KEY NOT NULL,
	"number" bigint NOT NULL,
	"answers" text collate "C",
	"answered_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "window_places" (
	"window_id" text collate "C" NOT NULL,
	"taken_at" bigint NOT NULL,
	"places" integer NOT NULL,
	CONSTRAINT "window_places_window_id_taken_at_pk" PRIMARY KEY("window_id","taken_at")
);
--> statement-breakpoint
CREATE TABLE "windows" (
	"id" text collate "C" PRIMARY KEY NOT NULL,
	"taken" integer DEFAULT 0 NOT NULL,
	"taken_at" bigint DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "audience_stats" (
	"project_id" integer NOT NULL,
	"workspace_id" integer NOT NULL,
	"audience" text collate "C" NOT NULL,
	"records" integer NOT NULL,
	"length" bigint NOT NULL,
	CONSTRAINT "audience_stats_project_id_workspace_id_audience_pk" PRIMARY KEY("project_id","workspace_id","audience")
);
--> statement-breakpoint
CREATE TABLE "imported_sources" (
	"project_id" integer NOT NULL,
	"root" text collate "C" NOT NULL,
	"workspace_id" integer NOT NULL,
	"source_id" text collate "C" NOT NULL,
	CONSTRAINT "imported_sources_project_id_root_workspace_id_source_id_pk" PRIMARY KEY("project_id","root","workspace_id","source_id")
);
--> statement-breakpoint
CREATE TABLE "languages" (
	"project_id" integer NOT NULL,
	"workspace_id" integer NOT NULL,
	"audience" text collate "C" NOT NULL,
	"language" text collate "C" NOT NULL,
	"records" integer NOT NULL,
	CONSTRAINT "languages_project_id_workspace_id_audience_language_pk" PRIMARY KEY("project_id","workspace_id","audience","language")
);
--> statement-breakpoint
CREATE TABLE "posting_lists" (
	"project_id" integer NOT NULL,
	"workspace_id" integer NOT NULL,
	"block" integer NOT NULL,
	"audience" text collate "C" NOT NULL,
	"term" text collate "C" NOT NULL,
	"seqs" "bytea" NOT NULL,
	CONSTRAINT "posting_lists_project_id_audience_term_workspace_id_block_pk" PRIMARY KEY("project_id","audience","term","workspace_id","block")
);
--> statement-breakpoint
CREATE TABLE "project_state" (
	"project_id" integer PRIMARY KEY NOT NULL,
	"version" bigint DEFAULT 0 NOT NULL,
	"records" integer DEFAULT 0 NOT NULL,
	"content_bytes" bigint DEFAULT 0 NOT NULL,
	"last_seq" integer DEFAULT 0 NOT NULL,
	"removals" integer DEFAULT 0 NOT NULL,
	"last_workspace_id" integer DEFAULT 0 NOT NULL,
	"rules" integer,
	"target" integer,
	"reached" integer
);
--> statement-breakpoint
CREATE TABLE "questions" (
	"project_id" integer NOT NULL,
	"id" text collate "C" NOT NULL,
	"text" text collate "C",
	"asked" integer NOT NULL,
	"at" bigint NOT NULL,
	CONSTRAINT "questions_project_id_id_pk" PRIMARY KEY("project_id","id")
);
--> statement-breakpoint
CREATE TABLE "recent_states" (
	"project_id" integer NOT NULL,
	"record_id" text collate "C" NOT NULL,
	"hash" text collate "C" NOT NULL,
	"saved_at" bigint NOT NULL,
	CONSTRAINT "recent_states_project_id_record_id_hash_pk" PRIMARY KEY("project_id","record_id","hash")
);
--> statement-breakpoint
CREATE TABLE "records" (
	"project_id" integer NOT NULL,
	"seq" integer NOT NULL,
	"key_hash" bigint NOT NULL,
	"content_hash" bigint NOT NULL,
	"save_hash" bigint NOT NULL,
	"created_at" bigint NOT NULL,
	"expires_at" bigint,
	"forgotten_at" bigint,
	"refreshed_at" bigint,
	"saved_at" bigint GENERATED ALWAYS AS (coalesce(refreshed_at, created_at)) STORED NOT NULL,
	"verified_at" bigint,
	"ranked_at" bigint GENERATED ALWAYS AS (coalesce(verified_at, created_at)) STORED NOT NULL,
	"workspace_id" integer NOT NULL,
	"content_bytes" integer NOT NULL,
	"length" integer NOT NULL,
	"fact_key_given" boolean NOT NULL,
	"needs_review" boolean NOT NULL,
	"marked" boolean NOT NULL,
	"id" text collate "C" NOT NULL,
	"audience" text collate "C" NOT NULL,
	"author_id" text collate "C" NOT NULL,
	"content" text collate "C" NOT NULL,
	"codes" "bytea",
	"terms" text collate "C" NOT NULL,
	"language" text collate "C" NOT NULL,
	"fact_key" text collate "C" NOT NULL,
	"status" text collate "C" NOT NULL,
	"superseded_by" text collate "C",
	"source_id" text collate "C",
	"source_name" text collate "C",
	"source_hash" text collate "C",
	"asked_as" text collate "C",
	CONSTRAINT "records_project_id_seq_pk" PRIMARY KEY("project_id","seq")
);
--> statement-breakpoint
CREATE TABLE "releases" (
	"project_id" integer NOT NULL,
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
	"project_id" integer NOT NULL,
	"workspace_id" integer NOT NULL,
	"source_id" text collate "C" NOT NULL,
	"audience" text collate "C" NOT NULL,
	"hash" text collate "C" NOT NULL,
	"save_sequence" bigint NOT NULL,
	"hashes" text DEFAULT '[]' NOT NULL,
	CONSTRAINT "sources_project_id_workspace_id_source_id_audience_pk" PRIMARY KEY("project_id","workspace_id","source_id","audience")
);
--> statement-breakpoint
CREATE TABLE "workspace_audiences" (
	"project_id" integer NOT NULL,
	"workspace_id" integer NOT NULL,
	"audience" text collate "C" NOT NULL,
	"name" text collate "C",
	CONSTRAINT "workspace_audiences_project_id_workspace_id_audience_pk" PRIMARY KEY("project_id","workspace_id","audience")
);
--> statement-breakpoint
CREATE TABLE "workspaces" (
	"project_id" integer NOT NULL,
	"id" integer NOT NULL,
	"name" text collate "C" NOT NULL,
	"folded_name" text collate "C" NOT NULL,
	"created_at" bigint NOT NULL,
	"removed_at" bigint,
	CONSTRAINT "workspaces_project_id_id_pk" PRIMARY KEY("project_id","id")
);
--> statement-breakpoint
CREATE TABLE "history_blocks" (
	"project_id" integer NOT NULL,
	"id" integer NOT NULL,
	"source_id" text collate "C" NOT NULL,
	"stale" boolean DEFAULT false NOT NULL,
	"data" "bytea" NOT NULL,
	CONSTRAINT "history_blocks_project_id_id_pk" PRIMARY KEY("project_id","id")
);
--> statement-breakpoint
CREATE TABLE "history_lines" (
	"project_id" integer NOT NULL,
	"id" bigint NOT NULL,
	"key" uuid NOT NULL,
	"hash" uuid NOT NULL,
	"block" integer NOT NULL,
	"at" integer NOT NULL,
	"length" integer NOT NULL,
	CONSTRAINT "history_lines_project_id_id_pk" PRIMARY KEY("project_id","id")
);
--> statement-breakpoint
CREATE TABLE "history_owners" (
	"project_id" integer NOT NULL,
	"owner_id" text collate "C" NOT NULL,
	"bytes" bigint NOT NULL,
	"agreed_at" bigint,
	CONSTRAINT "history_owners_project_id_owner_id_pk" PRIMARY KEY("project_id","owner_id")
);
--> statement-breakpoint
CREATE TABLE "history_sources" (
	"project_id" integer NOT NULL,
	"id" text collate "C" NOT NULL,
	"number" integer NOT NULL,
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
	"chain" text collate "C" NOT NULL,
	"last_id" text collate "C",
	"since_id" integer NOT NULL,
	"lines" integer NOT NULL,
	"last_line" integer NOT NULL,
	"erased_lines" integer NOT NULL,
	"erased_at" bigint,
	"closed_at" bigint,
	"forgotten_at" bigint,
	"examined_line" integer NOT NULL,
	CONSTRAINT "history_sources_project_id_id_pk" PRIMARY KEY("project_id","id")
);
--> statement-breakpoint
CREATE TABLE "history_suggestions" (
	"project_id" integer NOT NULL,
	"id" text collate "C" NOT NULL,
	"owner_id" text collate "C" NOT NULL,
	"source_id" text collate "C" NOT NULL,
	"line" integer NOT NULL,
	"state" text collate "C" NOT NULL,
	"text" text collate "C" NOT NULL,
	"terms" text collate "C" NOT NULL,
	"created_at" bigint NOT NULL,
	CONSTRAINT "history_suggestions_project_id_id_pk" PRIMARY KEY("project_id","id")
);
--> statement-breakpoint
CREATE TABLE "history_state" (
	"project_id" integer PRIMARY KEY NOT NULL,
	"last_block_id" integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX "departments_by_name" ON "departments" USING btree ("account_id","name");
--> statement-breakpoint
CREATE INDEX "keys_by_project" ON "keys" USING btree ("project_id","created_at");
--> statement-breakpoint
CREATE INDEX "keys_by_member" ON "keys" USING btree ("member_id","project_id","created_at");
--> statement-breakpoint
CREATE INDEX "keys_by_shown" ON "keys" USING btree ("shown");
--> statement-breakpoint
CREATE UNIQUE INDEX "members_by_address" ON "members" USING btree ("account_id","email") WHERE removed_at is null;
--> statement-breakpoint
CREATE INDEX "keys_unrevoked" ON "keys" USING btree ("member_id","project_id","expires_at") WHERE revoked_at is null;
--> statement-breakpoint
CREATE INDEX "keys_unrevoked_by_project" ON "keys" USING btree ("project_id","created_at") WHERE revoked_at is null;
--> statement-breakpoint
CREATE INDEX "members_by_account" ON "members" USING btree ("account_id");
--> statement-breakpoint
CREATE INDEX "members_by_email" ON "members" USING btree ("email") WHERE removed_at is null;
--> statement-breakpoint
CREATE UNIQUE INDEX "projects_by_name" ON "projects" USING btree ("account_id","name") WHERE removed_at is null;
--> statement-breakpoint
CREATE INDEX "browsers_by_member" ON "browsers" USING btree ("member_id","used_at");
--> statement-breakpoint
CREATE INDEX "browsers_by_use" ON "browsers" USING btree ("used_at");
--> statement-breakpoint
CREATE INDEX "invitations_by_account" ON "invitations" USING btree ("account_id");
--> statement-breakpoint
CREATE INDEX "sessions_by_member" ON "sessions" USING btree ("member_id");
--> statement-breakpoint
CREATE INDEX "sessions_by_end" ON "sessions" USING btree ("expires_at");
--> statement-breakpoint
CREATE TABLE "undos" (
	"id" text collate "C" PRIMARY KEY NOT NULL,
	"member_id" text collate "C" NOT NULL,
	"action" text collate "C" NOT NULL,
	"fields" text NOT NULL,
	"created_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE INDEX "undos_by_time" ON "undos" USING btree ("created_at");
--> statement-breakpoint
CREATE INDEX "connections_by_key" ON "connections" USING btree ("key_id");
--> statement-breakpoint
CREATE INDEX "enabled_by_project" ON "enabled_integrations" USING btree ("project_id");
--> statement-breakpoint
CREATE UNIQUE INDEX "integrations_by_slug" ON "integrations" USING btree ("account_id","slug");
--> statement-breakpoint
CREATE INDEX "call_errors_by_account" ON "call_errors" USING btree ("account_id","at","seq");
--> statement-breakpoint
CREATE INDEX "call_errors_by_project" ON "call_errors" USING btree ("project_id","at","seq");
--> statement-breakpoint
CREATE INDEX "call_errors_by_author" ON "call_errors" USING btree ("author_id","at","seq");
--> statement-breakpoint
CREATE INDEX "call_errors_by_at" ON "call_errors" USING btree ("at");
--> statement-breakpoint
CREATE INDEX "audit_by_account" ON "audit" USING btree ("account_id","at","seq");
--> statement-breakpoint
CREATE INDEX "audit_by_act" ON "audit" USING btree ("account_id","act","at","seq");
--> statement-breakpoint
CREATE INDEX "audit_by_actor" ON "audit" USING btree ("account_id","actor","at","seq");
--> statement-breakpoint
CREATE INDEX "audit_by_project" ON "audit" USING btree ("account_id","project_id","at","seq") WHERE project_id is not null;
--> statement-breakpoint
CREATE INDEX "audit_of_records" ON "audit" USING btree ("project_id","target","seq") WHERE act >= 'record.' and act < 'record/';
--> statement-breakpoint
CREATE INDEX "audit_rejections" ON "audit" USING btree ("project_id","scope","seq") WHERE act = 'record.reject';
--> statement-breakpoint
CREATE INDEX "audit_rejections_by" ON "audit" USING btree ("project_id","actor","seq") WHERE act = 'record.reject';
--> statement-breakpoint
CREATE INDEX "audit_by_at" ON "audit" USING btree ("at");
--> statement-breakpoint
CREATE INDEX "usage_daily_by_day" ON "usage_daily" USING btree ("day");
--> statement-breakpoint
CREATE INDEX "recent_states_by_time" ON "recent_states" USING btree ("project_id","saved_at");
--> statement-breakpoint
CREATE UNIQUE INDEX "records_by_id" ON "records" USING btree ("project_id","id");
--> statement-breakpoint
CREATE INDEX "records_by_key" ON "records" USING btree ("project_id","key_hash","workspace_id","audience","status","content_hash","save_hash","seq","fact_key_given") WHERE forgotten_at is null;
--> statement-breakpoint
CREATE INDEX "records_superseded" ON "records" USING btree ("project_id","key_hash","workspace_id","audience","ranked_at","seq","content_hash","verified_at") WHERE status = 'superseded' and fact_key_given and forgotten_at is null;
--> statement-breakpoint
CREATE INDEX "records_forgotten_by_key" ON "records" USING btree ("project_id","key_hash","workspace_id","audience","forgotten_at","seq") WHERE fact_key_given and forgotten_at is not null;
--> statement-breakpoint
CREATE INDEX "records_by_superseder" ON "records" USING btree ("project_id","superseded_by","seq") WHERE superseded_by is not null;
--> statement-breakpoint
CREATE INDEX "records_by_source" ON "records" USING btree ("project_id","workspace_id","source_id","audience","seq") WHERE source_id is not null and forgotten_at is null;
--> statement-breakpoint
CREATE INDEX "records_by_source_name" ON "records" USING btree ("project_id","source_name","seq") WHERE source_id is not null and forgotten_at is null;
--> statement-breakpoint
CREATE INDEX "records_by_workspace" ON "records" USING btree ("project_id","workspace_id");
--> statement-breakpoint
CREATE INDEX "records_by_expiry" ON "records" USING btree ("project_id","expires_at") WHERE expires_at is not null and forgotten_at is null;
--> statement-breakpoint
CREATE INDEX "records_by_forgotten" ON "records" USING btree ("project_id","forgotten_at","seq") WHERE forgotten_at is not null;
--> statement-breakpoint
CREATE INDEX "records_to_review" ON "records" USING btree ("project_id","forgotten_at") WHERE needs_review;
--> statement-breakpoint
CREATE INDEX "records_marked" ON "records" USING btree ("project_id","seq") WHERE marked;
--> statement-breakpoint
CREATE INDEX "records_by_status" ON "records" USING btree ("project_id","status","seq") WHERE status <> 'unverified' and forgotten_at is null;
--> statement-breakpoint
CREATE INDEX "records_by_audience" ON "records" USING btree ("project_id","audience","seq") WHERE audience <> '*' and forgotten_at is null;
--> statement-breakpoint
CREATE INDEX "records_by_saved" ON "records" USING btree ("project_id","saved_at","seq") WHERE forgotten_at is null;
--> statement-breakpoint
CREATE INDEX "releases_by_state" ON "releases" USING btree ("project_id","state","asked_by");
--> statement-breakpoint
CREATE INDEX "workspace_audiences_by_name" ON "workspace_audiences" USING btree ("project_id","audience","name") WHERE name is not null;
--> statement-breakpoint
CREATE UNIQUE INDEX "workspaces_by_name" ON "workspaces" USING btree ("project_id","name") WHERE removed_at is null;
--> statement-breakpoint
CREATE INDEX "workspaces_by_folded_name" ON "workspaces" USING btree ("project_id","folded_name") WHERE removed_at is null;
--> statement-breakpoint
CREATE INDEX "workspaces_removed" ON "workspaces" USING btree ("project_id","id") WHERE removed_at is not null;
--> statement-breakpoint
CREATE INDEX "history_blocks_stale" ON "history_blocks" USING btree ("project_id","id") WHERE stale;
--> statement-breakpoint
CREATE INDEX "imported_sources_by_workspace" ON "imported_sources" USING btree ("project_id","workspace_id","source_id");--> statement-breakpoint
CREATE UNIQUE INDEX "history_lines_by_key" ON "history_lines" USING btree ("project_id","key");
--> statement-breakpoint
CREATE INDEX "history_lines_by_block" ON "history_lines" USING btree ("project_id","block","at");
--> statement-breakpoint
CREATE UNIQUE INDEX "history_sources_by_number" ON "history_sources" USING btree ("project_id","number");
--> statement-breakpoint
CREATE UNIQUE INDEX "history_sources_by_key" ON "history_sources" USING btree ("project_id","owner_id","assistant","source_key") WHERE forgotten_at is null;
--> statement-breakpoint
CREATE INDEX "history_sources_by_activity" ON "history_sources" USING btree ("project_id","owner_id","active_at","id") WHERE lines > 0 and forgotten_at is null;
--> statement-breakpoint
CREATE INDEX "history_sources_by_session" ON "history_sources" USING btree ("project_id","owner_id","session_id","id") WHERE lines > 0 and forgotten_at is null;
--> statement-breakpoint
CREATE INDEX "history_sources_by_parent" ON "history_sources" USING btree ("project_id","owner_id","assistant","parent_session_id") WHERE kind = 'subagent' and lines > 0;
--> statement-breakpoint
CREATE INDEX "history_sources_by_arrival" ON "history_sources" USING btree ("project_id","received_at") WHERE lines > 0 and forgotten_at is null;
--> statement-breakpoint
CREATE INDEX "history_sources_erased" ON "history_sources" USING btree ("project_id","number") WHERE erased_lines > 0 or forgotten_at is not null;
--> statement-breakpoint
CREATE INDEX "history_sources_unexamined" ON "history_sources" USING btree ("project_id","owner_id","active_at") WHERE kind = 'main' and lines > 0 and forgotten_at is null and examined_line < last_line;
--> statement-breakpoint
CREATE INDEX "history_suggestions_by_owner" ON "history_suggestions" USING btree ("project_id","owner_id","state","created_at");
--> statement-breakpoint
CREATE INDEX "history_suggestions_by_source" ON "history_suggestions" USING btree ("project_id","source_id");
--> statement-breakpoint
-- The one row that every write of the control data locks.
insert into control_version (one, version) values (true, 0);
--> statement-breakpoint
-- Entries of the audit log can be added and purged, never changed.
create function refuse_change() returns trigger language plpgsql as $$ begin raise exception 'entries of the audit log are not changed'; end $$;
--> statement-breakpoint
create trigger audit_unchanged before update on audit for each row execute function refuse_change();
--> statement-breakpoint
-- The second wall around a project: a connection sees the rows of the one it named, whatever a statement says. Forced, so that it holds for the owner of the tables too.
alter table workspaces enable row level security;
--> statement-breakpoint
alter table workspaces force row level security;
--> statement-breakpoint
create policy one_project on workspaces using (project_id = nullif(current_setting('memsvc.project_id', true), '')::integer) with check (project_id = nullif(current_setting('memsvc.project_id', true), '')::integer);
--> statement-breakpoint
alter table workspace_audiences enable row level security;
--> statement-breakpoint
alter table workspace_audiences force row level security;
--> statement-breakpoint
create policy one_project on workspace_audiences using (project_id = nullif(current_setting('memsvc.project_id', true), '')::integer) with check (project_id = nullif(current_setting('memsvc.project_id', true), '')::integer);
--> statement-breakpoint
alter table records enable row level security;
--> statement-breakpoint
alter table records force row level security;
--> statement-breakpoint
create policy one_project on records using (project_id = nullif(current_setting('memsvc.project_id', true), '')::integer) with check (project_id = nullif(current_setting('memsvc.project_id', true), '')::integer);
--> statement-breakpoint
alter table posting_lists enable row level security;
--> statement-breakpoint
alter table posting_lists force row level security;
--> statement-breakpoint
create policy one_project on posting_lists using (project_id = nullif(current_setting('memsvc.project_id', true), '')::integer) with check (project_id = nullif(current_setting('memsvc.project_id', true), '')::integer);
--> statement-breakpoint
alter table recent_states enable row level security;
--> statement-breakpoint
alter table recent_states force row level security;
--> statement-breakpoint
create policy one_project on recent_states using (project_id = nullif(current_setting('memsvc.project_id', true), '')::integer) with check (project_id = nullif(current_setting('memsvc.project_id', true), '')::integer);
--> statement-breakpoint
alter table imported_sources enable row level security;
--> statement-breakpoint
alter table imported_sources force row level security;
--> statement-breakpoint
create policy one_project on imported_sources using (project_id = nullif(current_setting('memsvc.project_id', true), '')::integer) with check (project_id = nullif(current_setting('memsvc.project_id', true), '')::integer);
--> statement-breakpoint
alter table sources enable row level security;
--> statement-breakpoint
alter table sources force row level security;
--> statement-breakpoint
create policy one_project on sources using (project_id = nullif(current_setting('memsvc.project_id', true), '')::integer) with check (project_id = nullif(current_setting('memsvc.project_id', true), '')::integer);
--> statement-breakpoint
alter table audience_stats enable row level security;
--> statement-breakpoint
alter table audience_stats force row level security;
--> statement-breakpoint
create policy one_project on audience_stats using (project_id = nullif(current_setting('memsvc.project_id', true), '')::integer) with check (project_id = nullif(current_setting('memsvc.project_id', true), '')::integer);
--> statement-breakpoint
alter table languages enable row level security;
--> statement-breakpoint
alter table languages force row level security;
--> statement-breakpoint
create policy one_project on languages using (project_id = nullif(current_setting('memsvc.project_id', true), '')::integer) with check (project_id = nullif(current_setting('memsvc.project_id', true), '')::integer);
--> statement-breakpoint
alter table releases enable row level security;
--> statement-breakpoint
alter table releases force row level security;
--> statement-breakpoint
create policy one_project on releases using (project_id = nullif(current_setting('memsvc.project_id', true), '')::integer) with check (project_id = nullif(current_setting('memsvc.project_id', true), '')::integer);
--> statement-breakpoint
alter table questions enable row level security;
--> statement-breakpoint
alter table questions force row level security;
--> statement-breakpoint
create policy one_project on questions using (project_id = nullif(current_setting('memsvc.project_id', true), '')::integer) with check (project_id = nullif(current_setting('memsvc.project_id', true), '')::integer);
--> statement-breakpoint
alter table project_state enable row level security;
--> statement-breakpoint
alter table project_state force row level security;
--> statement-breakpoint
create policy one_project on project_state using (project_id = nullif(current_setting('memsvc.project_id', true), '')::integer) with check (project_id = nullif(current_setting('memsvc.project_id', true), '')::integer);
--> statement-breakpoint
alter table history_sources enable row level security;
--> statement-breakpoint
alter table history_sources force row level security;
--> statement-breakpoint
create policy one_project on history_sources using (project_id = nullif(current_setting('memsvc.project_id', true), '')::integer) with check (project_id = nullif(current_setting('memsvc.project_id', true), '')::integer);
--> statement-breakpoint
alter table history_lines enable row level security;
--> statement-breakpoint
alter table history_lines force row level security;
--> statement-breakpoint
create policy one_project on history_lines using (project_id = nullif(current_setting('memsvc.project_id', true), '')::integer) with check (project_id = nullif(current_setting('memsvc.project_id', true), '')::integer);
--> statement-breakpoint
alter table history_blocks enable row level security;
--> statement-breakpoint
alter table history_blocks force row level security;
--> statement-breakpoint
create policy one_project on history_blocks using (project_id = nullif(current_setting('memsvc.project_id', true), '')::integer) with check (project_id = nullif(current_setting('memsvc.project_id', true), '')::integer);
--> statement-breakpoint
alter table history_owners enable row level security;
--> statement-breakpoint
alter table history_owners force row level security;
--> statement-breakpoint
create policy one_project on history_owners using (project_id = nullif(current_setting('memsvc.project_id', true), '')::integer) with check (project_id = nullif(current_setting('memsvc.project_id', true), '')::integer);
--> statement-breakpoint
alter table history_suggestions enable row level security;
--> statement-breakpoint
alter table history_suggestions force row level security;
--> statement-breakpoint
create policy one_project on history_suggestions using (project_id = nullif(current_setting('memsvc.project_id', true), '')::integer) with check (project_id = nullif(current_setting('memsvc.project_id', true), '')::integer);
--> statement-breakpoint
alter table history_state enable row level security;
--> statement-breakpoint
alter table history_state force row level security;
--> statement-breakpoint
create policy one_project on history_state using (project_id = nullif(current_setting('memsvc.project_id', true), '')::integer) with check (project_id = nullif(current_setting('memsvc.project_id', true), '')::integer);
--> statement-breakpoint
-- Both tables change with every call.
alter table windows set (fillfactor = 50);
--> statement-breakpoint
alter table window_places set (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);
--> statement-breakpoint
-- The database's clock in milliseconds and their fractions, unless another one holds.
create function windows_now(given bigint) returns numeric language sql volatile
  as $$ select coalesce(given, extract(epoch from clock_timestamp()) * 1000) $$;
--> statement-breakpoint
alter table window_answers set (fillfactor = 50);
--> statement-breakpoint
-- An instance that asks again, because its connection was lost before the answer came, gets the answer that it was not told: nothing is taken twice.
-- Requests are [{"places": [{"id", "limit"}, …], "count"}, …]: so many times a place in each of these windows, or in none where one is full. The answer has for each
-- request {"admitted": how often there was room, "full": the first window without room for the rest, by its number, or null, "wait": milliseconds until it has room}.
create function take_places(by_instance text, by_number bigint, requests json, given_now bigint) returns json language plpgsql as $$
declare
  ids text[];
  found_ids integer;
  now numeric;
  moment bigint;
  request json;
  room integer;
  full_at integer;
  wait bigint;
  found_answers json[] := '{}';
  known text;
begin
  -- Limits need not outlive a crash of the database, so calls do not wait for its disk. It holds for this transaction alone, which writes nothing else.
  perform set_config('synchronous_commit', 'off', true);
  -- Locks the instance's row, so that one who asks again waits for the first.
  insert into window_answers as last (instance, number, answered_at) values (by_instance, by_number, windows_now(given_now))
    on conflict (instance) do update set number = excluded.number, answered_at = excluded.answered_at,
      answers = case when last.number = excluded.number then last.answers end
    returning answers into known;
  if known is not null then
    return known::json;
  end if;
  select array_agg(distinct place->>'id' order by place->>'id') into ids
    from json_array_elements(requests) r, json_array_elements(r->'places') place;
  -- Locked in the order of ids, so that two of these never wait for each other. A window that was swept away meanwhile is made again.
  loop
    select count(*) into found_ids from (select from windows where id = any(ids) order by id for update) locked;
    exit when found_ids = cardinality(ids);
    insert into windows (id) select unnest(ids) on conflict do nothing;
  end loop;
  -- Read once the rows are locked, so that times of a window grow in the order in which its places are taken.
  now := windows_now(given_now);
  moment := floor(now);
  -- A place in the far future was taken before the clock was set back.
  with freed as (
    delete from window_places where window_id = any(ids) and (taken_at <= moment - 60000 or taken_at > moment + 60000) returning window_id, places
  ), sums as (
    select window_id, sum(places) as places from freed group by window_id
  )
  update windows set taken = windows.taken - sums.places from sums where windows.id = sums.window_id;
  for request in select value from json_array_elements(requests) loop
    select least((request->>'count')::bigint, greatest(0, min((place->>'limit')::bigint - windows.taken))) into room
      from json_array_elements(request->'places') place join windows on windows.id = place->>'id';
    if room > 0 then
      -- Counted from the end of the millisecond, so that a place is never free too early.
      insert into window_places as known (window_id, taken_at, places)
        select place->>'id', ceil(now), room from json_array_elements(request->'places') place
        on conflict (window_id, taken_at) do update set places = known.places + excluded.places;
      update windows set taken = taken + room, taken_at = ceil(now)
        from json_array_elements(request->'places') place where windows.id = place->>'id';
    end if;
    full_at := null;
    wait := 0;
    if room < (request->>'count')::integer then
      select place.number - 1, greatest(0, (select min(taken_at) from window_places where window_id = windows.id) + 60000 - moment) into full_at, wait
        from json_array_elements(request->'places') with ordinality as place (value, number) join windows on windows.id = place.value->>'id'
        where windows.taken >= (place.value->>'limit')::bigint order by place.number limit 1;
    end if;
    found_answers := found_answers || json_build_object('admitted', room, 'full', full_at, 'wait', coalesce(wait, 0));
  end loop;
  update window_answers set answers = to_json(found_answers)::text where instance = by_instance;
  return to_json(found_answers);
end $$;
--> statement-breakpoint
create function sweep_windows(given_now bigint) returns void language sql as $$
  delete from window_answers where answered_at <= windows_now(given_now) - 60000;
  with idle as (
    delete from windows where id in (select id from windows where taken_at <= windows_now(given_now) - 60000 for update skip locked) returning id
  )
  delete from window_places using idle where window_id = idle.id
$$;
--> statement-breakpoint
-- What PostgreSQL learns of the sizes of projects says of one that is new that it has no records: statements then read all of it. Not asked, it expects a share of the table.
ALTER TABLE "records" ALTER COLUMN "project_id" SET STATISTICS 0;
--> statement-breakpoint
-- Tables that have more than twice the pages that the planner knows of are analyzed; returns whether there were any. As their owner: the role of the service may own nothing.
create function analyze_grown(min_pages integer, max_pages integer) returns boolean language plpgsql security definer as $$
declare
  grown text;
begin
  select string_agg(oid::regclass::text, ', ') into grown from pg_class, lateral (select pg_relation_size(oid) / current_setting('block_size')::integer as now) as pages
    where relkind = 'r' and relnamespace = current_schema()::regnamespace and pg_has_role(relowner, 'usage')
      and pages.now > greatest(2 * relpages, min_pages) and pages.now <= max_pages;
  if grown is null then
    return false;
  end if;
  execute 'analyze (skip_locked) ' || grown;
  return true;
end
$$;--> statement-breakpoint
-- Names are looked for among temporary objects last: by default these come first, and whoever calls could have the owner run theirs.
do $$ begin
  execute format('alter function analyze_grown(integer, integer) set search_path = %I, pg_temp', current_schema());
end $$;--> statement-breakpoint
CREATE TABLE "history_passages" (
	"project_id" integer NOT NULL,
	"id" bigint NOT NULL,
	"owner_id" text collate "C" NOT NULL,
	"first" integer NOT NULL,
	"last" integer NOT NULL,
	"rules" integer NOT NULL,
	"lines" "bytea" NOT NULL,
	"words" integer[] NOT NULL,
	CONSTRAINT "history_passages_project_id_id_pk" PRIMARY KEY("project_id","id")
);
--> statement-breakpoint
alter table history_passages enable row level security;
--> statement-breakpoint
alter table history_passages force row level security;
--> statement-breakpoint
create policy one_project on history_passages using (project_id = nullif(current_setting('memsvc.project_id', true), '')::integer) with check (project_id = nullif(current_setting('memsvc.project_id', true), '')::integer);
