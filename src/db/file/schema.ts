/** The `user_version` of a file with this schema. A file of another version is set aside, or left to a newer program. */
export const schemaVersion = 1;

export const schema = `
CREATE TABLE computers (id TEXT PRIMARY KEY, added_at INTEGER NOT NULL, body TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE sessions (id TEXT PRIMARY KEY, added_at INTEGER NOT NULL, body TEXT NOT NULL) WITHOUT ROWID;

-- One row per session with messages: its short key, facts about its listing, the number of cached messages, and when they
-- were last used, Unix ms: the least recently used are evicted first.
CREATE TABLE listings (
	key INTEGER PRIMARY KEY,
	session_id TEXT NOT NULL UNIQUE,
	facts TEXT NOT NULL DEFAULT '{}',
	total INTEGER NOT NULL DEFAULT 0,
	used_at INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX listings_unused ON listings (instr(facts, '"isComplete":true') > 0 DESC, used_at, key) WHERE total > 0;

-- Display order is (at, rank, key): time, then sequence number if sent, else arrival.
CREATE TABLE messages (
	key INTEGER PRIMARY KEY,
	listing INTEGER NOT NULL,
	id TEXT NOT NULL,
	at INTEGER NOT NULL,
	rank INTEGER NOT NULL,
	role TEXT,
	body TEXT NOT NULL,
	-- Its text has changed since it was put in the search index.
	is_stale INTEGER NOT NULL DEFAULT 0
);
CREATE UNIQUE INDEX messages_id ON messages (listing, id);
CREATE INDEX messages_order ON messages (listing, at, rank);
-- A find in a session reads these whole: the search index has only their beginning and end.
CREATE INDEX messages_long ON messages (listing) WHERE octet_length(body) > 65536;
CREATE INDEX messages_stale ON messages (listing) WHERE is_stale = 1;
-- A search over all sessions lists the newest first.
CREATE INDEX messages_newest ON messages (at, rank);

-- Words only: the text itself is in messages.body, and the rowid is messages.key. Prefixes of one and two letters are
-- indexed: otherwise a search would merge the lists of all words that start so.
CREATE VIRTUAL TABLE message_words USING fts5 (
	text, content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 2', prefix = '1 2'
);

-- The user's text is separate from the state, which changes often: images can be large.
CREATE TABLE outbox (
	sequence INTEGER PRIMARY KEY,
	id TEXT NOT NULL UNIQUE,
	session_id TEXT NOT NULL,
	state TEXT NOT NULL,
	body TEXT NOT NULL,
	lease_owner TEXT,
	lease_until INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX outbox_session ON outbox (session_id);
CREATE TABLE outbox_contents (
	id TEXT PRIMARY KEY, text TEXT NOT NULL, images TEXT NOT NULL, files TEXT NOT NULL
);

-- Each save of a draft has an id of its own, so that a program notices another program's save. \`folds\`: its collapsed
-- parts, [start, end] pairs in UTF-16 units.
CREATE TABLE drafts (
	session_id TEXT PRIMARY KEY, text TEXT NOT NULL, updated_at INTEGER NOT NULL, folds TEXT, revision TEXT NOT NULL
);
CREATE TABLE draft_attachments (session_id TEXT PRIMARY KEY, images TEXT NOT NULL, files TEXT NOT NULL);

-- Texts sent from the composers, and drafts that another program's replaced, for their history: each text once per
-- session, at its last time.
CREATE TABLE history (
	sequence INTEGER PRIMARY KEY, session_id TEXT NOT NULL, text TEXT NOT NULL, UNIQUE (session_id, text)
);

-- Ids are random: an index of ids alone writes a page or two for each event of a flood. Ordered by time first, events
-- that arrive together are stored together.
CREATE TABLE events (
	sequence INTEGER PRIMARY KEY, id TEXT NOT NULL, body TEXT NOT NULL, ts INTEGER NOT NULL, UNIQUE (ts, id)
);
CREATE TABLE signals (
	client TEXT NOT NULL, session_id TEXT NOT NULL, body TEXT NOT NULL, PRIMARY KEY (client, session_id)
) WITHOUT ROWID;

-- What the user acknowledged or snoozed: one episode of a session, or of a computer, whose ids may equal those of sessions.
-- Times are Unix ms.
CREATE TABLE attention (
	session_id TEXT PRIMARY KEY, episode TEXT NOT NULL, kind TEXT NOT NULL, at INTEGER NOT NULL, until INTEGER
) WITHOUT ROWID;
CREATE TABLE computer_attention (
	computer_id TEXT PRIMARY KEY, episode TEXT NOT NULL, kind TEXT NOT NULL, at INTEGER NOT NULL, until INTEGER
) WITHOUT ROWID;

CREATE TABLE durations (sequence INTEGER PRIMARY KEY, step TEXT NOT NULL, ms REAL NOT NULL);
CREATE INDEX durations_step ON durations (step);

-- Analytics as the service sent them, as compressed JSON. A day without data has no body; its users have several, each
-- with the id of the first.
CREATE TABLE analytics_days (
	family TEXT NOT NULL, day TEXT NOT NULL, read_at INTEGER NOT NULL, is_final INTEGER NOT NULL, body BLOB,
	UNIQUE (family, day)
);

CREATE TABLE analytics_users (
	day TEXT NOT NULL, user_id TEXT NOT NULL, body BLOB NOT NULL, PRIMARY KEY (day, user_id)
) WITHOUT ROWID;

CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;

-- Accounts, and what opens them: keys, by salted fingerprint, and profiles at an address. Both are used only in the
-- machine's database.
CREATE TABLE accounts (id TEXT PRIMARY KEY, body TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE account_openers (opener TEXT PRIMARY KEY, account_id TEXT NOT NULL) WITHOUT ROWID;
`;
