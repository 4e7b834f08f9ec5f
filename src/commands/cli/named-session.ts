import type {Database} from '../../db/database.ts';
import {unlessStorageFails} from '../../db/file/storage-error.ts';
import {signalKey} from '../../domain/sessions/signal.ts';
import {sessionItems} from '../../state/sessions/session-items.ts';
import type {Wiring} from '../../wiring.ts';
import type {Command} from './command.ts';
import {UsageError} from './errors.ts';
import {cliStrings} from './strings.ts';

/** The shortest beginning of an id that can mean it. */
const minIdLength = 4;
/** Commands that take a session by its whole id: a part of a title could name another one than the user means. */
const needsId = ['sessions add', 'sessions forget'];

/** The arguments of a command whose first names a session, with the ids of those that they name. */
export async function withSessionIds(
	{path, args: names}: Command,
	args: readonly string[],
	wiring: () => Promise<Wiring>,
): Promise<readonly string[]> {
	const [name = ''] = names;
	if (needsId.includes(path)) return args;
	// A command that needs the account says why there is none.
	const database = await wiring()
		.then(one => one.database())
		.catch(() => undefined);
	const titles = database && unlessStorageFails(() => titlesIn(database));
	if (!titles) return args;
	const count = name.includes('...') ? args.length : 1;
	return args.map((word, index) => (index < count ? namedSession(titles, word) : word));
}

function titlesIn({computers, sessions, events}: Database): ReadonlyMap<string, string> {
	const byId = <Row extends {readonly id: string}>(rows: readonly Row[]) =>
		new Map(rows.map(row => [row.id, row]));
	const signals = new Map(events.signals().map(one => [signalKey(one.client, one.sessionId), one]));
	const fleet = {computers: byId(computers.all()), sessions: byId(sessions.all()), signals};
	const items = sessionItems(fleet, {bySession: new Map()});
	// Without a title, the name is the start of the id.
	return new Map(items.map(({id, name}) => [id, id.startsWith(name) ? '' : name]));
}

/**
 * The id of the session that the user names by its id or the beginning of that, or by a part of its title; a word that is
 * none of these here may be an id at the service. Throws `UsageError` if several have it, and none is called just that.
 */
function namedSession(titles: ReadonlyMap<string, string>, word: string): string {
	if (titles.has(word) || word.trim() === '') return word;
	const part = word.toLowerCase();
	const isBeginning = (id: string) => word.length >= minIdLength && id.startsWith(word);
	const found = [...titles].filter(([id, title]) => isBeginning(id) || title.toLowerCase().includes(part));
	const exact = found.filter(([, title]) => title.toLowerCase() === part);
	const named = exact.length > 0 ? exact : found;
	if (named.length > 1) throw new UsageError(cliStrings.registry.severalSessions(word, named));
	return named[0]?.[0] ?? word;
}
