CREATE TABLE "usage_daily" (
	"project_id" text collate "C" NOT NULL,
	"day" integer NOT NULL,
	"tool" text collate "C" NOT NULL,
	"key_id" text collate "C" NOT NULL,
	"outcome" text collate "C" NOT NULL,
	"duration_ms" integer NOT NULL,
	"calls" bigint NOT NULL,
	CONSTRAINT "usage_daily_project_id_day_tool_key_id_outcome_duration_ms_pk" PRIMARY KEY("project_id","day","tool","key_id","outcome","duration_ms")
);
--> statement-breakpoint
CREATE INDEX "usage_daily_by_day" ON "usage_daily" USING btree ("day");