CREATE TABLE `languages` (
	`workspace_id` integer NOT NULL,
	`audience` text NOT NULL,
	`language` text NOT NULL,
	`records` integer NOT NULL,
	PRIMARY KEY(`workspace_id`, `audience`, `language`)
);
