import type {Lists} from './lists.ts';
import {type ViewName, views} from './views.ts';

/** A place to go to. Names are as they came. */
export type GoTarget =
	| {readonly kind: 'view'; readonly name: string; readonly key: string; readonly view: ViewName}
	| {readonly kind: 'session' | 'computer'; readonly name: string; readonly id: string};

const most = 200;

/**
 * The places whose name, kind or id holds all words of the query: views first, then sessions in the order of their
 * list, then computers; what begins with the query comes before what only holds it.
 */
export function goTargets(query: string, lists: Pick<Lists, 'all'>): GoTarget[] {
	const wanted = query.toLowerCase().split(' ').filter(Boolean);
	const start = wanted.join(' ');
	const found = (target: GoTarget, ...texts: readonly string[]) => {
		const text = [target.name, target.kind, ...texts].join(' ').toLowerCase();
		return wanted.every(word => text.includes(word)) ? [target] : [];
	};
	const all = [
		...views.flatMap(({name, key, title}) => found({kind: 'view', name: title, key, view: name}, name, key)),
		...lists.all.sessions.flatMap(({id, name}) => found({kind: 'session', name, id}, id)),
		...lists.all.computers.flatMap(({id, name}) => found({kind: 'computer', name, id}, id)),
	];
	const isFirst = ({name}: GoTarget) => start !== '' && name.toLowerCase().startsWith(start);
	return [...all.filter(isFirst), ...all.filter(target => !isFirst(target))].slice(0, most);
}
