import type {ExtraFields} from '../known.ts';
import {isSecretName, isTree, maskSecrets} from '../masking.ts';
import {isEqual, ownEntry} from '../objects.ts';

/**
 * One change to the organization's settings. `settings` is the complete settings object after the change: an
 * open tree, because the contract leaves many parts free-form. `updatedAt` is the service's date-time string,
 * unparsed.
 */
export type ControlChange = ExtraFields & {
	readonly revision: number;
	readonly settings?: ExtraFields;
	readonly user?: ExtraFields & {readonly id?: string; readonly email?: string; readonly name?: string};
	readonly updatedAt?: string;
};

/**
 * One setting changed by a revision. `path` leads to it from the top of the settings; list items appear in it
 * by name, as in `['customModels', 'model-x', 'baseUrl']`. Values are masked, so this contains no secrets.
 */
export type SettingChange = {
	readonly path: readonly string[];
	/**
	 * `set` and `unset`: a key was added to or removed from a free-form object. `added` and `removed`: a list
	 * item. `absent`: the previous record had this field and this one doesn't; `before` is the last known
	 * value.
	 */
	readonly kind: 'set' | 'unset' | 'changed' | 'added' | 'removed' | 'absent';
	readonly before?: unknown;
	readonly after?: unknown;
	/** Both values are secrets and look the same when masked. */
	readonly isSecret: boolean;
};

export type RevisionDifference = {
	readonly change: ControlChange;
	/** The first known revision has no predecessor, so its values are not necessarily changes. */
	readonly isFirstKnown: boolean;
	readonly changes: readonly SettingChange[];
};

/**
 * Revisions with their differences, newest first, for input in any order; duplicates are dropped. A field
 * missing from a record is compared with the newest earlier record that has it, because the contract doesn't
 * say which fields are always present.
 */
export function differencesOf(history: Iterable<ControlChange>): RevisionDifference[] {
	const steps = compareRevisions(history);
	for (;;) {
		const {done, value} = steps.next();
		if (done) return value;
	}
}

/** Like `differencesOf`, but yields after each revision so that callers can process a long history in slices. */
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

/** Free-form objects with user-chosen keys: a missing key means it was removed. */
const freeForm: ReadonlySet<string> = new Set([
	'mcpAutonomyOverrides',
	'userModelPolicies',
	'enabledPlugins',
	'extraKnownMarketplaces',
	'extraHeaders',
	'extraArgs',
]);

function isFreeForm(path: readonly string[]): boolean {
	return path.some(name => freeForm.has(name));
}

/**
 * Compares a settings object with its last known values: lists as sets, free-form objects as trees.
 * `previous` is the preceding record: a field also missing there is not reported as absent again.
 */
export function settingChanges(known: unknown, after: unknown, previous: unknown = known): SettingChange[] {
	return compare([], {before: known, previous, isAbsent: false}, after);
}

/** Merges a settings object over earlier values: missing fields keep their newest known value. */
function newestKnown(known: unknown, settings: unknown, path: readonly string[]): unknown {
	if (!isTree(known) || !isTree(settings) || isFreeForm(path)) return settings;
	const merged = {...known};
	for (const [key, value] of Object.entries(settings))
		merged[key] = newestKnown(ownEntry(known, key), value, [...path, key]);
	return merged;
}

/** Whether the change concerns a setting. `setting` is a dotted path or any part of one, case-insensitive. */
export function isAbout({path}: Pick<SettingChange, 'path'>, setting: string): boolean {
	return path.join('.').toLowerCase().includes(setting.trim().toLowerCase());
}

type Past = {
	/** The newest known value. */
	readonly before: unknown;
	/** The value in the preceding record. */
	readonly previous: unknown;
	/** A parent of this value is missing from the record. */
	readonly isAbsent: boolean;
};

function compare(path: readonly string[], past: Past, after: unknown): SettingChange[] {
	const {before, isAbsent} = past;
	if (isEqual(before, after)) return [];
	if (isTree(before) && isTree(after)) return compareTrees(path, {...past, before}, after);
	if (Array.isArray(before) && Array.isArray(after)) return compareLists(path, before, after, isAbsent);
	// Report an added or removed tree or list part by part: a whole model policy on one line is unreadable.
	if (before === undefined && isBranch(after))
		return compare(path, {...past, before: emptyLike(after)}, after);
	if (after === undefined && isBranch(before))
		return compare(path, {...past, previous: before}, emptyLike(before));
	const removedKind = isAbsent ? 'absent' : 'unset';
	const kind = before === undefined ? 'set' : after === undefined ? removedKind : 'changed';
	return [changeAt(path, kind, before, after)];
}

function compareTrees(
	path: readonly string[],
	{before, previous, isAbsent}: Past & {readonly before: Record<string, unknown>},
	after: Record<string, unknown>,
): SettingChange[] {
	const previousTree = isTree(previous) ? previous : {};
	const isStructured = !isFreeForm(path);
	const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])];
	return keys.flatMap(key => {
		const isMissing = isStructured && !Object.hasOwn(after, key);
		if (isMissing && !Object.hasOwn(previousTree, key)) return [];
		const past = {
			before: ownEntry(before, key),
			previous: ownEntry(previousTree, key),
			isAbsent: isAbsent || isMissing,
		};
		return compare([...path, key], past, ownEntry(after, key));
	});
}

/** Compares lists, ignoring order. Items that are objects are matched by name and compared as trees. */
function compareLists(
	path: readonly string[],
	before: readonly unknown[],
	after: readonly unknown[],
	isAbsent: boolean,
): SettingChange[] {
	const past = byName(before);
	const present = byName(after);
	return [...new Set([...past.keys(), ...present.keys()])].flatMap(name => {
		const oldItem = past.get(name);
		const newItem = present.get(name);
		if (oldItem !== undefined && newItem !== undefined)
			return compare([...path, name], {before: oldItem, previous: oldItem, isAbsent}, newItem);
		const at = isTree(oldItem ?? newItem) ? [...path, name] : path;
		const removedKind = isAbsent ? 'absent' : 'removed';
		return [
			oldItem === undefined
				? changeAt(at, 'added', undefined, newItem)
				: changeAt(at, removedKind, oldItem, undefined),
		];
	});
}

/** Indexes items by their identifying name; duplicates of a name get a number appended. */
function byName(list: readonly unknown[]): Map<string, unknown> {
	const items = new Map<string, unknown>();
	const counts = new Map<string, number>();
	for (const item of list) {
		const name = nameOf(item);
		// Duplicate items count once in a set.
		if (!isTree(item) && items.has(name)) continue;
		const number = (counts.get(name) ?? 0) + 1;
		counts.set(name, number);
		items.set(number > 1 ? `${name} (${number})` : name, item ?? null);
	}
	return items;
}

const identifyingFields = ['id', 'model', 'name', 'displayName', 'repo', 'url', 'index'] as const;

function nameOf(item: unknown): string {
	if (typeof item === 'string') return item;
	if (isTree(item)) {
		for (const field of identifyingFields) {
			const value = ownEntry(item, field);
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
	const maskedBefore = before === undefined ? undefined : maskSecrets(before, name);
	const maskedAfter = after === undefined ? undefined : maskSecrets(after, name);
	return {
		path: path.map(part => maskSecrets(part)),
		kind,
		before: maskedBefore,
		after: maskedAfter,
		// A switch may have a secret-sounding name, but its value is not a secret and is shown.
		isSecret: path.some(isSecretName) && !(isEqual(maskedBefore, before) && isEqual(maskedAfter, after)),
	};
}

function isBranch(value: unknown): boolean {
	return (isTree(value) && Object.keys(value).length > 0) || (Array.isArray(value) && value.length > 0);
}

function emptyLike(value: unknown): unknown {
	return Array.isArray(value) ? [] : {};
}

/** The newest known value of one setting. Values are masked, so this contains no secrets. */
export type SettingInForce = {
	/** Path from the top of the settings; a list or free-form object counts as one setting. */
	readonly path: readonly string[];
	readonly value: unknown;
	readonly isSecret: boolean;
	/** No revision has a value: it is the default that the service's documentation names. */
	readonly isDefault?: true;
	/** The revision that introduced the value. */
	readonly since: ControlChange;
	/** The value dates from the first known revision and may be older. */
	readonly isSinceFirst: boolean;
	/** The newest revision that includes the setting. A later revision may omit it, which doesn't mean it was removed. */
	readonly lastIn: ControlChange;
};

type MutableSetting = {-readonly [Key in keyof SettingInForce]: SettingInForce[Key]};

/** Every setting found in a history, by path. `history` is newest first. */
export function settingsInForce(history: readonly RevisionDifference[]): readonly SettingInForce[] {
	const settings = new Map<string, MutableSetting>();
	for (const {change, isFirstKnown} of history.toReversed())
		for (const [path, value] of leavesOf(change.settings ?? {}, [])) {
			const key = JSON.stringify(path);
			const before = settings.get(key);
			const isUnchanged = before && settingChanges({value: before.value}, {value}).length === 0;
			if (isUnchanged) before.lastIn = change;
			else
				settings.set(key, {
					path,
					value,
					isSecret: false,
					since: change,
					isSinceFirst: isFirstKnown,
					lastIn: change,
				});
		}
	const found = [...settings.values()].map(({path, value, ...setting}): SettingInForce => {
		const shown = maskSecrets(value, path.find(isSecretName) ?? path.at(-1) ?? '');
		return {
			...setting,
			path: path.map(part => maskSecrets(part)),
			value: shown,
			isSecret: !isEqual(shown, value),
		};
	});
	return [...found, ...defaultsBeside(found, history[0]?.change)].sort((a, b) =>
		a.path.join('.') < b.path.join('.') ? -1 : 1,
	);
}

/** The settings that have a default in the contract. */
const defaults = [
	{path: ['mcpPolicy', 'enabled'], value: false},
	{path: ['missionPolicy', 'restrictedAccess'], value: false},
] as const;

function defaultsBeside(
	found: readonly SettingInForce[],
	newest: ControlChange | undefined,
): readonly SettingInForce[] {
	if (!newest) return [];
	const missing = defaults.filter(({path}) => !found.some(one => isEqual(one.path, path)));
	return missing.map(setting => ({
		...setting,
		isSecret: false,
		isDefault: true,
		since: newest,
		isSinceFirst: false,
		lastIn: newest,
	}));
}

function* leavesOf(
	value: unknown,
	path: readonly string[],
): Generator<readonly [path: readonly string[], value: unknown]> {
	const isBranch = isTree(value) && !isFreeForm(path) && Object.keys(value).length > 0;
	if (!isBranch) {
		if (path.length > 0) yield [path, value];
		return;
	}
	for (const [key, part] of Object.entries(value)) yield* leavesOf(part, [...path, key]);
}
