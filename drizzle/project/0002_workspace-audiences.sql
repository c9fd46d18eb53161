CREATE TABLE `workspace_audiences` (
	`workspace_id` integer NOT NULL,
	`audience` text NOT NULL,
	PRIMARY KEY(`workspace_id`, `audience`)
);
