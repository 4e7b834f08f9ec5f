import type {KnownSession} from './known.ts';

/**
 * A session of which another program has kept more: what was changed here, from `before` to `next`, is changed in what
 * is kept; all else stays as it is kept.
 */
export function mergeSession(kept: KnownSession, before: KnownSession, next: KnownSession): KnownSession {
	const facts = Object.keys({...before, ...next}) as (keyof KnownSession)[];
	const changed = facts.filter(fact => next[fact] !== before[fact]);
	const gone = new Set<string>(changed.filter(fact => next[fact] === undefined));
	const merged = {...kept, ...Object.fromEntries(changed.map(fact => [fact, next[fact]]))};
	return Object.fromEntries(Object.entries(merged).filter(([fact]) => !gone.has(fact))) as KnownSession;
}
