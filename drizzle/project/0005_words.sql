CREATE TABLE `holdings` (
	`workspace_id` integer NOT NULL,
	`audience` text NOT NULL,
	`records` integer NOT NULL,
	`length` integer NOT NULL,
	PRIMARY KEY(`workspace_id`, `audience`)
);
--> statement-breakpoint
CREATE TABLE `indexing` (
	`id` integer PRIMARY KEY NOT NULL,
	`rules` integer NOT NULL,
	`target` integer NOT NULL,
	`reached` integer NOT NULL,
	`erasures` integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE `tongues` (
	`language` text PRIMARY KEY NOT NULL,
	`records` integer NOT NULL
);
--> statement-breakpoint
ALTER TABLE `records` ADD `length` integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE `records` ADD `codes` blob;--> statement-breakpoint
-- Terms and one mark a record, without positions: the application scores by itself, and needs to know only who holds a term.
DROP TABLE word_counts;
--> statement-breakpoint
DROP TABLE word_index;
--> statement-breakpoint
CREATE VIRTUAL TABLE word_index USING fts5(terms, content='', contentless_delete=1, detail=none, tokenize="ascii");
--> statement-breakpoint
CREATE VIRTUAL TABLE word_counts USING fts5vocab(word_index, 'row');
--> statement-breakpoint
INSERT INTO holdings SELECT workspace_id, audience, count(*), count(*) FROM records WHERE forgotten_at IS NULL GROUP BY workspace_id, audience;
--> statement-breakpoint
INSERT INTO indexing (id, rules, target, reached) SELECT 1, 0, 0, 0 WHERE EXISTS (SELECT 1 FROM records);
