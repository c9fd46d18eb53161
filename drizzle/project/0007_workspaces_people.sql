ALTER TABLE `workspace_audiences` ADD `name` text;--> statement-breakpoint
UPDATE `workspace_audiences` SET `name` = (SELECT `name` FROM `workspaces` WHERE `workspaces`.`id` = `workspace_audiences`.`workspace_id` AND `removed_at` IS NULL);--> statement-breakpoint
CREATE INDEX `workspace_audiences_by_name` ON `workspace_audiences` (`audience`,`name`) WHERE name is not null;
