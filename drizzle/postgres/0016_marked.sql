ALTER TABLE "accounts" ADD COLUMN "marked_policy" text collate "C" DEFAULT 'caution' NOT NULL;--> statement-breakpoint
ALTER TABLE "records" ADD COLUMN "marked" boolean DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX "records_marked" ON "records" USING btree ("project_id","seq") WHERE marked;