import type {ControlChange} from './controls.ts';
import {isSecretName, maskSecrets} from './masking.ts';
import {isSame} from './same.ts';

/**
 * One thing that a revision changed. `path` leads to it from the settings' top; an item of a list stands in it by its
 * name, such as `['customModels', 'model-x', 'baseUrl']`. Values are masked: no secret is in here.
 */
export type SettingChange = {
	readonly path: readonly string[];
	/** `set` and `unset`: the field came or went. `added` and `removed`: an item of a list. */
	readonly kind: 'set' | 'unset' | 'changed' | 'added' | 'removed';
	readonly before?: unknown;
	readonly after?: unknown;
	/** What it was and is are secrets, and look the same masked. */
	readonly isSecret: boolean;
};

/** A revision and what it changed against the one before it. */
export type RevisionDifference = {
	readonly change: ControlChange;
	/** The first revision that is known has none before it: what it says is not what it changed. */
	readonly isFirstKnown: boolean;
	readonly changes: readonly SettingChange[];
};

/**
 * Revisions with their differences, newest first, whatever order they came in; one that came twice counts once. Each
 * record holds the whole settings object, so a field that is not in one is not set then.
 */
export function differencesOf(history: Iterable<ControlChange>): RevisionDifference[] {
	const byRevision = new Map<number, ControlChange>();
	for (const change of history) byRevision.set(change.revision, change);
	const ordered = [...byRevision.values()].sort((a, b) => a.revision - b.revision);
	return ordered
		.map((change, index): RevisionDifference => {
			const before = ordered[index - 1];
			return {
				change,
				isFirstKnown: !before,
				changes: settingChanges(before?.settings ?? {}, change.settings ?? {}),
			};
		})
		.reverse();
}

/** What changed from one settings object to another: lists as sets, free-form objects as trees. */
export function settingChanges(before: unknown, after: unknown): SettingChange[] {
	return compare([], before, after);
}

/** Does a change touch a setting? `setting` is a path with dots, or any part of one, in any letter case. */
export function isAbout({path}: SettingChange, setting: string): boolean {
	return path.join('.').toLowerCase().includes(setting.trim().toLowerCase());
}

function compare(path: readonly string[], before: unknown, after: unknown): SettingChange[] {
	if (isSame(before, after)) return [];
	if (isTree(before) && isTree(after)) return compareTrees(path, before, after);
	if (Array.isArray(before) && Array.isArray(after)) return compareLists(path, before, after);
	// A tree or list that comes or goes is told part by part: a whole model policy in one line says nothing.
	if (before === undefined && isBranch(after)) return compare(path, emptyLike(after), after);
	if (after === undefined && isBranch(before)) return compare(path, before, emptyLike(before));
	const kind = before === undefined ? 'set' : after === undefined ? 'unset' : 'changed';
	return [changeAt(path, kind, before, after)];
}

function compareTrees(
	path: readonly string[],
	before: Record<string, unknown>,
	after: Record<string, unknown>,
): SettingChange[] {
	const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])];
	return keys.flatMap(key => compare([...path, key], own(before, key), own(after, key)));
}

/** Order is no difference. Items that are objects are known again by their name, and compared as trees. */
function compareLists(
	path: readonly string[],
	before: readonly unknown[],
	after: readonly unknown[],
): SettingChange[] {
	const past = named(before);
	const present = named(after);
	return [...new Set([...past.keys(), ...present.keys()])].flatMap(name => {
		const was = past.get(name);
		const is = present.get(name);
		if (was !== undefined && is !== undefined) return compare([...path, name], was, is);
		const at = isTree(was ?? is) ? [...path, name] : path;
		return [
			was === undefined ? changeAt(at, 'added', undefined, is) : changeAt(at, 'removed', was, undefined),
		];
	});
}

/** Items by what they are known by; a second one of the same name gets its number. */
function named(list: readonly unknown[]): Map<string, unknown> {
	const items = new Map<string, unknown>();
	const counts = new Map<string, number>();
	for (const item of list) {
		const name = nameOf(item);
		// An item that stands twice in a list is in the set once.
		if (!isTree(item) && items.has(name)) continue;
		const number = (counts.get(name) ?? 0) + 1;
		counts.set(name, number);
		items.set(number > 1 ? `${name} (${number})` : name, item ?? null);
	}
	return items;
}

const naming = ['id', 'model', 'name', 'displayName', 'repo', 'url', 'index'] as const;

function nameOf(item: unknown): string {
	if (typeof item === 'string') return item;
	if (isTree(item)) {
		for (const field of naming) {
			const value = own(item, field);
			if (typeof value === 'string' || typeof value === 'number') return String(value);
		}
	}
	return JSON.stringify(maskSecrets(item)) ?? 'null';
}

function changeAt(
	path: readonly string[],
	kind: SettingChange['kind'],
	before: unknown,
	after: unknown,
): SettingChange {
	const name = path.find(isSecretName) ?? path.at(-1) ?? '';
	const was = before === undefined ? undefined : maskSecrets(before, name);
	const is = after === undefined ? undefined : maskSecrets(after, name);
	return {
		path: path.map(part => maskSecrets(part)),
		kind,
		...(was !== undefined && {before: was}),
		...(is !== undefined && {after: is}),
		// A switch may be called after a secret: it is none, and is shown.
		isSecret: path.some(isSecretName) && !(isSame(was, before) && isSame(is, after)),
	};
}

function isTree(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isBranch(value: unknown): boolean {
	return (isTree(value) && Object.keys(value).length > 0) || (Array.isArray(value) && value.length > 0);
}

function emptyLike(value: unknown): unknown {
	return Array.isArray(value) ? [] : {};
}

function own(tree: Record<string, unknown>, key: string): unknown {
	return Object.hasOwn(tree, key) ? tree[key] : undefined;
}
