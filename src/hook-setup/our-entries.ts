import {findNodeAtLocation, type JSONPath} from 'jsonc-parser';
import {isHookCommand} from './hook-command.ts';
import {isBlank, type JsonNode, JsonTextError, parseJsonText} from './json-text.ts';

/** The text of a settings file; undefined if the file doesn't exist. */
export type SettingsText = string | undefined;

export type OurEntry = {
	readonly event: string;
	readonly command: string;
	readonly timeout: unknown;
	/** Narrows the event to some of its kinds; set by hand. */
	readonly matcher: string | undefined;
	/** Keys and indexes that lead to the handler. */
	readonly path: JSONPath;
};

/**
 * Finds the map of events and the keys that lead to it: `hooks`, or the root itself if the file may be bare and has no
 * `hooks`. Throws `JsonTextError` if a list or a plain value is in place of an object.
 */
export function findEventMap(
	text: string,
	root: JsonNode,
	isBare: boolean,
): {readonly map: JsonNode | undefined; readonly path: readonly string[]} {
	if (root.type !== 'object') throw new JsonTextError('the settings are not an object', text, root.offset);
	const map = findNodeAtLocation(root, ['hooks']);
	if (!map && isBare) return {map: root, path: []};
	if (map && map.type !== 'object') throw new JsonTextError('"hooks" is not an object', text, map.offset);
	return {map, path: ['hooks']};
}

/** Finds all our handlers in a text, in its order. Skips everything else, whatever its shape. Throws `JsonTextError`. */
export function ourEntries(text: SettingsText, isBare: boolean): OurEntry[] {
	if (text === undefined || isBlank(text)) return [];
	const {map, path} = findEventMap(text, parseJsonText(text), isBare);
	return (map?.children ?? []).flatMap(({children: [key, groups] = []}) =>
		itemsOf(groups).flatMap((group, groupIndex) =>
			itemsOf(findNodeAtLocation(group, ['hooks'])).flatMap((handler, index): OurEntry[] => {
				const valueAt = (node: JsonNode, name: string): unknown => findNodeAtLocation(node, [name])?.value;
				const command = valueAt(handler, 'command');
				if (typeof command !== 'string' || !isHookCommand(command)) return [];
				const matcher = valueAt(group, 'matcher');
				return [
					{
						event: key?.value,
						command,
						timeout: valueAt(handler, 'timeout'),
						matcher: typeof matcher === 'string' ? matcher : undefined,
						path: [...path, key?.value, groupIndex, 'hooks', index],
					},
				];
			}),
		),
	);
}

function itemsOf(node: JsonNode | undefined): readonly JsonNode[] {
	return node?.type === 'array' ? (node.children ?? []) : [];
}
