import {isHookCommand} from './hook-command.ts';
import {
	type JsonMember,
	type JsonNode,
	type JsonObject,
	type JsonScalar,
	JsonTextError,
	memberOf,
} from './json-text.ts';
import type {Place} from './splice.ts';

/** One of our handlers in a file, and how to take it away. */
export type OurEntry = {
	readonly event: string;
	readonly command: string;
	readonly commandNode: JsonNode;
	readonly handler: JsonObject;
	readonly timeout: JsonNode | undefined;
	/** Restricts the event to some of its kinds; set by hand. */
	readonly matcher: string | undefined;
	/** The handler, or its whole group when there is nothing else in it; outermost first. */
	readonly ancestry: readonly Place[];
};

/** The map of events in a file, if it has one. */
export type EventMap = {readonly map: JsonObject; readonly ancestry: readonly Place[]};

/**
 * Finds the map of events: under `hooks`, or the root itself in a file that may be bare and has no `hooks`.
 * Throws `JsonTextError` where a list or a plain value stands in the place of an object.
 */
export function findEventMap(text: string, root: JsonNode, isBare: boolean): EventMap | undefined {
	if (root.kind !== 'object') throw new JsonTextError('the settings are no object', text, root.start);
	const hooks = memberOf(root, 'hooks');
	if (!hooks) return isBare ? {map: root, ancestry: []} : undefined;
	if (hooks.value.kind !== 'object') throw new JsonTextError('"hooks" is no object', text, hooks.value.start);
	return {map: hooks.value, ancestry: [{container: root, index: root.members.indexOf(hooks)}]};
}

/** Every handler of ours, in the order of the file. Whatever else stands there, in any shape, is passed over. */
export function findOurEntries({map, ancestry}: EventMap): OurEntry[] {
	return map.members.flatMap((member, index) => inEvent(member, [...ancestry, {container: map, index}]));
}

function inEvent({key: event, value: groups}: JsonMember, ancestry: readonly Place[]): OurEntry[] {
	if (groups.kind !== 'array') return [];
	return groups.items.flatMap((group, index) => {
		const handlers = group.kind === 'object' ? memberOf(group, 'hooks')?.value : undefined;
		if (group.kind !== 'object' || handlers?.kind !== 'array') return [];
		const inGroup = [...ancestry, {container: groups, index}];
		return handlers.items.flatMap((handler, at): OurEntry[] => {
			const commandNode = handler.kind === 'object' ? memberOf(handler, 'command')?.value : undefined;
			const command = scalarOf(commandNode)?.value;
			if (handler.kind !== 'object' || !commandNode || typeof command !== 'string') return [];
			if (!isHookCommand(command)) return [];
			const matcher = scalarOf(memberOf(group, 'matcher')?.value)?.value;
			return [
				{
					event,
					command,
					commandNode,
					handler,
					timeout: memberOf(handler, 'timeout')?.value,
					matcher: typeof matcher === 'string' ? matcher : undefined,
					ancestry: handlers.items.length === 1 ? inGroup : [...inGroup, {container: handlers, index: at}],
				},
			];
		});
	});
}

export function scalarOf(node: JsonNode | undefined): JsonScalar | undefined {
	return node?.kind === 'scalar' ? node : undefined;
}
