import {isEqual} from '../objects.ts';
import type {SessionSettings, SessionSettingsPatch, SessionTag} from './session.ts';

/** The settings that can be edited here, as lists and strings. All others are left unchanged. */
export type WantedSettings = {
	readonly model: string;
	readonly specModeModel: string;
	readonly tags: readonly string[];
	readonly enabledToolIds: readonly string[];
	readonly disabledToolIds: readonly string[];
};

/**
 * Computes the patch from known to wanted settings; undefined if they are equal. Lists are sent whole, and
 * retained tags keep their metadata. An empty model is not sent: the contract has no value to unset it.
 */
export function settingsPatch(
	known: SessionSettings | undefined,
	wanted: WantedSettings,
): SessionSettingsPatch | undefined {
	const patch: SessionSettingsPatch = {};
	for (const name of ['model', 'specModeModel'] as const)
		if (wanted[name] !== '' && wanted[name] !== known?.[name]) patch[name] = wanted[name];
	const names = (known?.tags ?? []).map(tag => tag.name);
	if (!isEqual(names, wanted.tags)) patch.tags = tagsNamed(wanted.tags, known?.tags);
	for (const name of ['enabledToolIds', 'disabledToolIds'] as const)
		if (!isEqual(known?.[name] ?? [], wanted[name])) patch[name] = wanted[name];
	return Object.keys(patch).length > 0 ? patch : undefined;
}

/** The tags after a change, keeping the metadata of those that stay; undefined if nothing changes. */
export function withTags(
	tags: readonly SessionTag[],
	{add, remove}: {readonly add: readonly string[]; readonly remove: readonly string[]},
): readonly SessionTag[] | undefined {
	const staying = tags.filter(({name}) => !remove.includes(name));
	const added = add.filter(name => !staying.some(tag => tag.name === name));
	if (added.length === 0 && staying.length === tags.length) return undefined;
	return [...staying, ...added.map(name => ({name}))];
}

/** The tags before a change to `after`, with what others have changed since then. */
export function withoutChange(
	now: readonly SessionTag[],
	{before, after}: {readonly before: readonly SessionTag[]; readonly after: readonly SessionTag[]},
): readonly SessionTag[] {
	const sameIn = (tags: readonly SessionTag[], {name}: SessionTag) => tags.find(tag => tag.name === name);
	return [
		...before.flatMap(tag => sameIn(now, tag) ?? (sameIn(after, tag) ? [] : tag)),
		...now.filter(tag => !sameIn(before, tag) && !sameIn(after, tag)),
	];
}

/** Tags by their names; those that exist already keep their metadata. */
export function tagsNamed(names: readonly string[], tags: readonly SessionTag[] = []): readonly SessionTag[] {
	return names.map(name => sendableTag(tags.find(tag => tag.name === name) ?? {name}));
}

/** A tag without the fields that a service may add to it, which can't be sent. */
export function sendableTag({name, metadata}: SessionTag): SessionTag {
	return {name, metadata};
}

const checkedSettings = [
	'model',
	'specModeModel',
	'archivedAt',
	'tags',
	'enabledToolIds',
	'disabledToolIds',
] as const;

/**
 * Settings that existed before, were not sent, and are missing from the response: the contract doesn't say
 * whether an update merges or replaces settings. Empty if the response has no settings.
 */
export function lostSettings(
	before: SessionSettings | undefined,
	sent: SessionSettingsPatch,
	after: SessionSettings | undefined,
): readonly string[] {
	if (!after) return [];
	const hasValue = (settings: SessionSettings | undefined, name: (typeof checkedSettings)[number]) => {
		const value = settings?.[name];
		return value !== undefined && value.length > 0;
	};
	return checkedSettings.filter(name => !(name in sent) && hasValue(before, name) && !hasValue(after, name));
}
