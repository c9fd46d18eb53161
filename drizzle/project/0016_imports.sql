CREATE TABLE `imported_sources` (
	`root` text NOT NULL,
	`workspace_id` integer NOT NULL,
	`source_id` text NOT NULL,
	PRIMARY KEY(`root`, `workspace_id`, `source_id`)
);
