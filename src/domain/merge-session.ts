import type {KnownSession} from './known.ts';

/**
 * Merges our changes into a session that another process has saved since: fields changed between `before` and
 * `next` are applied to `kept`; all others keep their saved values.
 */
export function mergeSession(kept: KnownSession, before: KnownSession, next: KnownSession): KnownSession {
	const facts = Object.keys({...before, ...next}) as (keyof KnownSession)[];
	const changed = facts.filter(fact => next[fact] !== before[fact]);
	const gone = new Set<string>(changed.filter(fact => next[fact] === undefined));
	const merged = {...kept, ...Object.fromEntries(changed.map(fact => [fact, next[fact]]))};
	return Object.fromEntries(Object.entries(merged).filter(([fact]) => !gone.has(fact))) as KnownSession;
}
