DROP TABLE "postings" CASCADE;--> statement-breakpoint
DROP TABLE "vocabulary" CASCADE;