CREATE TABLE `allowed` (
	`hash` text PRIMARY KEY NOT NULL,
	`allowed_at` integer NOT NULL
);
