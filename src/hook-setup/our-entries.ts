import {findNodeAtLocation} from 'jsonc-parser';
import {isHookCommand} from './hook-command.ts';
import {type JsonNode, JsonTextError} from './json-text.ts';
import type {ElementPosition} from './splice.ts';

/** One of our handlers in a file, and how to remove it. */
export type OurEntry = {
	readonly event: string;
	readonly command: string;
	readonly commandNode: JsonNode;
	readonly handler: JsonNode;
	readonly timeout: JsonNode | undefined;
	/** Narrows the event to some of its kinds; set by hand. */
	readonly matcher: string | undefined;
	/** Where to remove: the handler, or its whole group if it holds nothing else; outermost first. */
	readonly ancestry: readonly ElementPosition[];
};

/** The event map of a file. */
export type EventMap = {readonly map: JsonNode; readonly ancestry: readonly ElementPosition[]};

/**
 * Finds the event map: under `hooks`, or the root itself if the file may be bare and has no `hooks`. Throws
 * `JsonTextError` if a list or a plain value is in place of an object.
 */
export function findEventMap(text: string, root: JsonNode, isBare: boolean): EventMap | undefined {
	if (root.type !== 'object') throw new JsonTextError('the settings are not an object', text, root.offset);
	const hooks = findNodeAtLocation(root, ['hooks']);
	if (!hooks) return isBare ? {map: root, ancestry: []} : undefined;
	if (hooks.type !== 'object') throw new JsonTextError('"hooks" is not an object', text, hooks.offset);
	return {
		map: hooks,
		ancestry: [{container: root, index: root.children?.indexOf(hooks.parent as JsonNode) ?? 0}],
	};
}

/** Finds all our handlers, in file order. Skips everything else, whatever its shape. */
export function findOurEntries({map, ancestry}: EventMap): OurEntry[] {
	return childrenOf(map).flatMap((member, index) =>
		entriesOfEvent(member, [...ancestry, {container: map, index}]),
	);
}

function entriesOfEvent(member: JsonNode, ancestry: readonly ElementPosition[]): OurEntry[] {
	const [key, groups] = childrenOf(member);
	if (groups?.type !== 'array') return [];
	return childrenOf(groups).flatMap((group, index) => {
		const handlers = findNodeAtLocation(group, ['hooks']);
		if (handlers?.type !== 'array') return [];
		const inGroup = [...ancestry, {container: groups, index}];
		return childrenOf(handlers).flatMap((handler, handlerIndex): OurEntry[] => {
			const commandNode = findNodeAtLocation(handler, ['command']);
			const command: unknown = commandNode?.value;
			if (!commandNode || typeof command !== 'string' || !isHookCommand(command)) return [];
			const matcher: unknown = findNodeAtLocation(group, ['matcher'])?.value;
			return [
				{
					event: key?.value,
					command,
					commandNode,
					handler,
					timeout: findNodeAtLocation(handler, ['timeout']),
					matcher: typeof matcher === 'string' ? matcher : undefined,
					ancestry:
						handlers.children?.length === 1
							? inGroup
							: [...inGroup, {container: handlers, index: handlerIndex}],
				},
			];
		});
	});
}

/** The members of an object, or the items of a list. */
function childrenOf({children = []}: JsonNode): readonly JsonNode[] {
	return children;
}
