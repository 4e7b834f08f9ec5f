import {isEqual} from './is-equal.ts';
import type {SessionSettings, SessionSettingsPatch, SessionTag} from './session.ts';

/** The settings that a user changes here, as lists and words. Everything else in them is left alone. */
export type WantedSettings = {
	readonly model: string;
	readonly specModeModel: string;
	readonly tags: readonly string[];
	readonly enabledToolIds: readonly string[];
	readonly disabledToolIds: readonly string[];
};

/**
 * What has to be sent to come from one to the other; nothing when they are the same. A list is sent whole, and a tag
 * that stays keeps its metadata. An empty model is not sent: the contract has no value that unsets one.
 */
export function settingsPatch(
	known: SessionSettings | undefined,
	wanted: WantedSettings,
): SessionSettingsPatch | undefined {
	const patch: SessionSettingsPatch = {};
	for (const name of ['model', 'specModeModel'] as const)
		if (wanted[name] !== '' && wanted[name] !== known?.[name]) patch[name] = wanted[name];
	const names = (known?.tags ?? []).map(tag => tag.name);
	if (!isEqual(names, wanted.tags)) patch.tags = wanted.tags.map(name => tagOf(known, name));
	for (const name of ['enabledToolIds', 'disabledToolIds'] as const)
		if (!isEqual(known?.[name] ?? [], wanted[name])) patch[name] = wanted[name];
	return Object.keys(patch).length > 0 ? patch : undefined;
}

function tagOf(known: SessionSettings | undefined, name: string): SessionTag {
	const tag = known?.tags?.find(one => one.name === name);
	return {name, ...(tag?.metadata && {metadata: tag.metadata})};
}

const kept = ['model', 'specModeModel', 'archivedAt', 'tags', 'enabledToolIds', 'disabledToolIds'] as const;

/**
 * Settings that were there before, were not sent, and are gone from the answer: the contract does not say whether an
 * update adds to the settings or takes their place. Nothing when the answer holds no settings at all.
 */
export function lostSettings(
	before: SessionSettings | undefined,
	sent: SessionSettingsPatch,
	after: SessionSettings | undefined,
): readonly string[] {
	if (!after) return [];
	const isThere = (settings: SessionSettings | undefined, name: (typeof kept)[number]) => {
		const value = settings?.[name];
		return value !== undefined && value.length > 0;
	};
	return kept.filter(name => !(name in sent) && isThere(before, name) && !isThere(after, name));
}
