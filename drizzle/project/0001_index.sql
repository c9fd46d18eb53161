-- The index of a project: terms and marks of each record, made by the application; nothing of the text is kept twice.
CREATE VIRTUAL TABLE word_index USING fts5(terms, marks, content='', contentless_delete=1, tokenize="ascii");
--> statement-breakpoint
CREATE VIRTUAL TABLE word_counts USING fts5vocab(word_index, 'row');
--> statement-breakpoint
INSERT INTO `usage` (`id`, `records`, `content_bytes`, `turn`) VALUES (1, 0, 0, 0);
