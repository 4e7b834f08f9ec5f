import type {ControlChange} from './controls.ts';
import {isEqual} from './is-equal.ts';
import {isSecretName, maskSecrets} from './masking.ts';

/**
 * One thing that a revision changed. `path` leads to it from the settings' top; an item of a list stands in it by its
 * name, such as `['customModels', 'model-x', 'baseUrl']`. Values are masked: no secret is in here.
 */
export type SettingChange = {
	readonly path: readonly string[];
	/**
	 * `set` and `unset`: a key came to a free-form object, or went. `added` and `removed`: an item of a list. `absent`: the
	 * record has no such field, the one before it had; `before` is what was known last.
	 */
	readonly kind: 'set' | 'unset' | 'changed' | 'added' | 'removed' | 'absent';
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
 * Revisions with their differences, newest first, whatever order they came in; duplicates count once. A field missing
 * from a record is compared with the newest earlier record that has it: the contract doesn't say which fields a record
 * always holds.
 */
export function differencesOf(history: Iterable<ControlChange>): RevisionDifference[] {
	const steps = compareRevisions(history);
	for (;;) {
		const {done, value} = steps.next();
		if (done) return value;
	}
}

/** The same revision by revision: a long history is compared in slices. */
export function* compareRevisions(history: Iterable<ControlChange>): Generator<void, RevisionDifference[]> {
	const byRevision = new Map<number, ControlChange>();
	for (const change of history) byRevision.set(change.revision, change);
	const ordered = [...byRevision.values()].sort((a, b) => a.revision - b.revision);
	const differences: RevisionDifference[] = [];
	let known: unknown = {};
	for (const [index, change] of ordered.entries()) {
		const previous = ordered[index - 1];
		const changes = settingChanges(known, change.settings ?? {}, previous?.settings ?? {});
		differences.push({change, isFirstKnown: !previous, changes});
		known = newestKnown(known, change.settings ?? {}, []);
		yield;
	}
	return differences.reverse();
}

/** Free-form objects, whose keys the user chooses: a key that is missing was removed. */
const freeForm: ReadonlySet<string> = new Set([
	'mcpAutonomyOverrides',
	'userModelPolicies',
	'enabledPlugins',
	'extraKnownMarketplaces',
	'extraHeaders',
	'extraArgs',
]);

export function isFreeForm(path: readonly string[]): boolean {
	return path.some(name => freeForm.has(name));
}

/**
 * What changed from what was known to a settings object: lists as sets, free-form objects as trees. `previous` is the
 * record before: a field that it lacked, too, is not said to be absent once more.
 */
export function settingChanges(known: unknown, after: unknown, previous: unknown = known): SettingChange[] {
	return compare([], {before: known, previous, isAbsent: false}, after);
}

/** A settings object over what was known before it: fields that it lacks keep their newest known value. */
function newestKnown(known: unknown, settings: unknown, path: readonly string[]): unknown {
	if (!isTree(known) || !isTree(settings) || isFreeForm(path)) return settings;
	const merged = {...known};
	for (const [key, value] of Object.entries(settings))
		merged[key] = newestKnown(own(known, key), value, [...path, key]);
	return merged;
}

/** Is it about a setting? `setting` is a path with dots, or any part of one, in any letter case. */
export function isAbout({path}: Pick<SettingChange, 'path'>, setting: string): boolean {
	return path.join('.').toLowerCase().includes(setting.trim().toLowerCase());
}

type Past = {
	/** The newest value that is known. */
	readonly before: unknown;
	/** The value in the record before. */
	readonly previous: unknown;
	/** It is part of something that the record doesn't have. */
	readonly isAbsent: boolean;
};

function compare(path: readonly string[], past: Past, after: unknown): SettingChange[] {
	const {before, isAbsent} = past;
	if (isEqual(before, after)) return [];
	if (isTree(before) && isTree(after)) return compareTrees(path, {...past, before}, after);
	if (Array.isArray(before) && Array.isArray(after)) return compareLists(path, before, after, isAbsent);
	// A tree or list that comes or goes is told part by part: a whole model policy in one line says nothing.
	if (before === undefined && isBranch(after))
		return compare(path, {...past, before: emptyLike(after)}, after);
	if (after === undefined && isBranch(before))
		return compare(path, {...past, previous: before}, emptyLike(before));
	const gone = isAbsent ? 'absent' : 'unset';
	const kind = before === undefined ? 'set' : after === undefined ? gone : 'changed';
	return [changeAt(path, kind, before, after)];
}

function compareTrees(
	path: readonly string[],
	{before, previous, isAbsent}: Past & {readonly before: Record<string, unknown>},
	after: Record<string, unknown>,
): SettingChange[] {
	const had = isTree(previous) ? previous : {};
	const isStructured = !isFreeForm(path);
	const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])];
	return keys.flatMap(key => {
		const isMissing = isStructured && !Object.hasOwn(after, key);
		if (isMissing && !Object.hasOwn(had, key)) return [];
		const past = {
			before: own(before, key),
			previous: own(had, key),
			isAbsent: isAbsent || isMissing,
		};
		return compare([...path, key], past, own(after, key));
	});
}

/** Order is no difference. Items that are objects are known again by their name, and compared as trees. */
function compareLists(
	path: readonly string[],
	before: readonly unknown[],
	after: readonly unknown[],
	isAbsent: boolean,
): SettingChange[] {
	const past = named(before);
	const present = named(after);
	return [...new Set([...past.keys(), ...present.keys()])].flatMap(name => {
		const was = past.get(name);
		const is = present.get(name);
		if (was !== undefined && is !== undefined)
			return compare([...path, name], {before: was, previous: was, isAbsent}, is);
		const at = isTree(was ?? is) ? [...path, name] : path;
		const gone = isAbsent ? 'absent' : 'removed';
		return [was === undefined ? changeAt(at, 'added', undefined, is) : changeAt(at, gone, was, undefined)];
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
		isSecret: path.some(isSecretName) && !(isEqual(was, before) && isEqual(is, after)),
	};
}

export function isTree(value: unknown): value is Record<string, unknown> {
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
