/** The `user_version` of a file with this schema. The service refuses a file of a newer version, and says so. */
export const schemaVersion = 1;

/** The tables of the service's database. Times are Unix ms. */
export const schema = `
CREATE TABLE identity (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;

CREATE TABLE computers (
	id TEXT PRIMARY KEY,
	name TEXT NOT NULL,
	remote_user TEXT NOT NULL,
	host_id TEXT,
	hostname TEXT NOT NULL,
	status TEXT NOT NULL,
	workspace TEXT NOT NULL,
	-- How another machine is reached, and what it last said about itself, as JSON.
	machine TEXT,
	-- Since when that machine can't be reached.
	unreachable_since INTEGER,
	created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE steps (
	id TEXT PRIMARY KEY,
	computer_id TEXT NOT NULL REFERENCES computers(id),
	position INTEGER NOT NULL,
	kind TEXT NOT NULL,
	name TEXT NOT NULL,
	repo_url TEXT,
	repo_folder TEXT,
	status TEXT NOT NULL,
	error TEXT,
	started_at INTEGER,
	completed_at INTEGER,
	install_session_id TEXT
) STRICT;
CREATE INDEX steps_of_computer ON steps(computer_id, position);

CREATE TABLE sessions (
	id TEXT PRIMARY KEY,
	computer_id TEXT NOT NULL REFERENCES computers(id),
	cwd TEXT NOT NULL,
	title TEXT,
	settings TEXT NOT NULL,
	message_count INTEGER NOT NULL DEFAULT 0,
	is_install INTEGER NOT NULL DEFAULT 0,
	created_at INTEGER NOT NULL,
	updated_at INTEGER NOT NULL,
	completed_at INTEGER,
	-- 1: its turn is under way.
	is_running INTEGER NOT NULL DEFAULT 0,
	-- 1: the end of the service cut off its last turn, and the user hasn't said yet whether it goes on.
	is_cut_off INTEGER NOT NULL DEFAULT 0,
	-- Name of the agent, and its permission mode.
	agent TEXT,
	mode TEXT,
	-- The client's own id of the conversation.
	agent_session TEXT,
	-- Tokens in the model's context window and its size, as JSON.
	context TEXT,
	-- When the usage limit ends that stopped its last turn.
	limited_until INTEGER,
	-- How many of its sub-agents are at work.
	subagents INTEGER NOT NULL DEFAULT 0,
	-- Variables that its agent gets, as JSON.
	environment TEXT,
	-- Its own git work tree, as JSON.
	worktree TEXT
) STRICT;
CREATE INDEX sessions_of_computer ON sessions(computer_id);

-- Commands that the agents of sessions take, as JSON.
CREATE TABLE agent_commands (session_id TEXT PRIMARY KEY REFERENCES sessions(id), commands TEXT NOT NULL) STRICT;

-- Sessions that are on the machine of a computer, and whose messages are there.
CREATE TABLE machine_sessions (
	id TEXT PRIMARY KEY,
	computer_id TEXT NOT NULL REFERENCES computers(id),
	-- What the machine last said about it, as JSON.
	session TEXT
) STRICT;
CREATE INDEX machine_sessions_of_computer ON machine_sessions(computer_id);

-- The last hook event of each machine that a program here has taken, as the machine counts them.
CREATE TABLE hook_cursors (
	computer_id TEXT PRIMARY KEY REFERENCES computers(id),
	cursor INTEGER NOT NULL
) STRICT;

CREATE TABLE messages (
	seq INTEGER PRIMARY KEY AUTOINCREMENT,
	id TEXT NOT NULL UNIQUE,
	session_id TEXT NOT NULL REFERENCES sessions(id),
	role TEXT NOT NULL,
	parent_id TEXT,
	content_id TEXT NOT NULL,
	text TEXT NOT NULL,
	-- Content items as JSON; null: the text is the only one.
	content TEXT,
	attachments TEXT,
	is_error INTEGER NOT NULL DEFAULT 0,
	-- Set if an agent sent it.
	author TEXT,
	-- 1: the text is the output of a program.
	is_output INTEGER NOT NULL DEFAULT 0,
	-- 1: a user message whose turn has not come; 0: all else.
	is_waiting INTEGER NOT NULL DEFAULT 0,
	created_at INTEGER NOT NULL,
	updated_at INTEGER NOT NULL
) STRICT;
CREATE INDEX messages_of_session ON messages(session_id, seq);
CREATE INDEX waiting_messages ON messages(session_id, seq) WHERE is_waiting = 1;
CREATE INDEX messages_by_time ON messages(created_at);

-- Tokens that agents reported, and their cost in US dollars.
CREATE TABLE token_usage (
	seq INTEGER PRIMARY KEY AUTOINCREMENT,
	at INTEGER NOT NULL,
	session_id TEXT NOT NULL,
	message_id TEXT NOT NULL,
	model TEXT,
	input_tokens INTEGER NOT NULL,
	output_tokens INTEGER NOT NULL,
	cache_read_tokens INTEGER NOT NULL,
	cache_write_tokens INTEGER NOT NULL,
	cost REAL
) STRICT;
CREATE INDEX token_usage_by_time ON token_usage(at);
CREATE INDEX token_usage_of_session ON token_usage(session_id);

-- Sessions and computers in the order of their last change.
CREATE TABLE changes (
	seq INTEGER PRIMARY KEY AUTOINCREMENT,
	kind TEXT NOT NULL,
	id TEXT NOT NULL,
	UNIQUE (kind, id)
) STRICT;

CREATE TABLE readiness_reports (
	seq INTEGER PRIMARY KEY AUTOINCREMENT,
	id TEXT NOT NULL UNIQUE,
	repo_url TEXT NOT NULL,
	-- What was evaluated: the commit and whether the tree had changes. One report each.
	state TEXT NOT NULL,
	report TEXT NOT NULL,
	created_at INTEGER NOT NULL,
	UNIQUE (repo_url, state)
) STRICT;
`;
