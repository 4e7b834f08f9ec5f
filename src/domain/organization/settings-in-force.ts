import {isEqual} from '../is-equal.ts';
import {isSecretName, isTree, maskSecrets} from '../masking.ts';
import {type ControlChange, isFreeForm, type RevisionDifference, settingChanges} from './controls.ts';

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

const known = new WeakMap<readonly RevisionDifference[], readonly SettingInForce[]>();

/** Every setting found in a history, by path. `history` is newest first. */
export function settingsInForce(history: readonly RevisionDifference[]): readonly SettingInForce[] {
	const settings = known.get(history) ?? inForce(history);
	known.set(history, settings);
	return settings;
}

function inForce(history: readonly RevisionDifference[]): readonly SettingInForce[] {
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
