import {expect, test} from 'vitest';
import {maskSecrets} from '../../../../src/domain/masking.ts';
import {
	differencesOf,
	isAbout,
	settingChanges,
	settingsInForce,
} from '../../../../src/domain/organization/controls.ts';
import {inForceTable} from '../../../../src/state/organization/control-columns.ts';

const reported = (before: unknown, after: unknown) =>
	settingChanges(before, after).map(({path, kind, before: was, after: is}) => [
		path.join('.'),
		kind,
		was,
		is,
	]);

test('compares lists as sets: another order is no change', () => {
	expect(reported({commandDenylist: ['a', 'b']}, {commandDenylist: ['b', 'c', 'a', 'c']})).toEqual([
		['commandDenylist', 'added', undefined, 'c'],
	]);
	expect(reported({commandDenylist: ['a', 'b']}, {commandDenylist: ['b', 'a']})).toEqual([]);
});

test('compares free-form objects as trees, and reports new ones part by part', () => {
	expect(
		reported(
			{mcpAutonomyOverrides: {docs: {level: 'low'}}, cloudSessionSync: true},
			{mcpAutonomyOverrides: {docs: {level: 'high', x: {y: 1}}}, sandbox: {enabled: true, filesystem: {}}},
		),
	).toEqual([
		['mcpAutonomyOverrides.docs.level', 'changed', 'low', 'high'],
		['mcpAutonomyOverrides.docs.x.y', 'set', undefined, 1],
		['cloudSessionSync', 'absent', true, undefined],
		['sandbox.enabled', 'set', undefined, true],
		['sandbox.filesystem', 'set', undefined, {}],
	]);
});

test('recognizes the models of a list by name, and reports changes of their secrets, but masked', () => {
	const model = {
		id: 'm1',
		baseUrl: 'https://a.example',
		apiKey: 'first-secret',
		extraHeaders: {'X-A': 'one'},
	};
	const changes = settingChanges(
		{customModels: [model]},
		{
			customModels: [
				{id: 'm2', apiKey: 'other'},
				{...model, apiKey: 'second-secret', extraHeaders: {'X-A': 'two'}},
			],
		},
	);
	expect(changes).toEqual([
		{path: ['customModels', 'm1', 'apiKey'], kind: 'changed', before: '***', after: '***', isSecret: true},
		{
			path: ['customModels', 'm1', 'extraHeaders', 'X-A'],
			kind: 'changed',
			before: '***',
			after: '***',
			isSecret: true,
		},
		{path: ['customModels', 'm2'], kind: 'added', after: {id: 'm2', apiKey: '***'}, isSecret: false},
	]);
});

test('orders revisions, whatever order they come in, and compares each with the one before', () => {
	const history = [
		{revision: 3, settings: {a: 2}},
		{revision: 1, settings: {a: 1}},
		{revision: 3, settings: {a: 2}},
		{revision: 2, settings: {a: 1}},
	];
	expect(
		differencesOf(history).map(({change, isFirstKnown, changes}) => [
			change.revision,
			isFirstKnown,
			changes.length,
		]),
	).toEqual([
		[3, false, 1],
		[2, false, 0],
		[1, true, 1],
	]);
});

test('finds changes by setting', () => {
	const [change] = settingChanges({}, {modelPolicy: {allowedModelIds: ['x']}});
	expect(change && isAbout(change, 'modelpolicy.allowed')).toBe(true);
	expect(change && isAbout(change, 'sandbox')).toBe(false);
});

test("a switch that is named after a secret isn't one", () => {
	const [change] = settingChanges(
		{restrictApiKeyCreationToManagers: false},
		{restrictApiKeyCreationToManagers: true},
	);
	expect(change).toMatchObject({before: false, after: true, isSecret: false});
	expect(settingChanges({apiKey: 'one'}, {apiKey: 'two'})).toMatchObject([{before: '***', isSecret: true}]);
});

test('reports once that a record lacks a field, and compares later ones with what was known', () => {
	const list = ['npm test'];
	const plugins = {one: true, two: true};
	const history = [
		{revision: 1, settings: {commandAllowlist: list, sessionRetentionDays: 30, enabledPlugins: plugins}},
		{revision: 2, settings: {sessionRetentionDays: 30, enabledPlugins: {one: true}}},
		{revision: 3, settings: {sessionRetentionDays: 7}},
		{revision: 4, settings: {commandAllowlist: list, sessionRetentionDays: 7, enabledPlugins: {one: true}}},
		{revision: 5, settings: {commandAllowlist: [], sessionRetentionDays: 7}},
	];
	const changes = differencesOf(history)
		.reverse()
		.map(difference => difference.changes.map(({path, kind, before}) => [path.join('.'), kind, before]));
	expect(changes.slice(1)).toEqual([
		[
			['commandAllowlist', 'absent', 'npm test'],
			['enabledPlugins.two', 'unset', true],
		],
		[
			['sessionRetentionDays', 'changed', 30],
			['enabledPlugins.one', 'absent', true],
		],
		[],
		[
			['commandAllowlist', 'removed', 'npm test'],
			['enabledPlugins.one', 'absent', true],
		],
	]);
});

test('settings in force are the newest known, with since when and by whom, but without secrets', () => {
	const by = (id: string) => ({id, email: `${id}@example.org`});
	const differences = differencesOf([
		{revision: 1, user: by('a'), settings: {sandbox: {enabled: true, network: {}}, sessionRetentionDays: 30}},
		{revision: 2, user: by('b'), settings: {sessionRetentionDays: 7}},
		{
			revision: 3,
			user: by('c'),
			settings: {sessionRetentionDays: 7, customModels: [{model: 'own', apiKey: 'first-secret'}]},
		},
		{revision: 4, user: by('d'), settings: {customModels: [{model: 'own', apiKey: 'second-secret'}]}},
	]);
	const all = settingsInForce(differences);
	const settings = all.filter(({isDefault}) => !isDefault);
	expect(all.filter(({isDefault}) => isDefault).map(({path, value}) => [path.join('.'), value])).toEqual([
		['mcpPolicy.enabled', false],
		['missionPolicy.restrictedAccess', false],
	]);
	expect(
		settings.map(({path, value, since, isSinceFirst, lastIn}) => [
			path.join('.'),
			value,
			since.revision,
			isSinceFirst,
			lastIn.revision,
		]),
	).toEqual([
		['customModels', [{model: 'own', apiKey: '***'}], 4, false, 4],
		['sandbox.enabled', true, 1, true, 1],
		['sandbox.network', {}, 1, true, 1],
		['sessionRetentionDays', 7, 2, false, 3],
	]);
	expect(settings[0]?.isSecret).toBe(true);
	expect(JSON.stringify([...inForceTable(settings).objects()].map(row => maskSecrets(row)))).not.toContain(
		'second',
	);
	expect([...inForceTable(settings).cells()].at(-1)).toEqual([
		'sessionRetentionDays',
		'7',
		false,
		undefined,
		2,
		false,
		'b@example.org',
		'b',
		3,
	]);
});

test('a default of the contract gives way to any value of the setting', () => {
	const settings = {mcpPolicy: {enabled: true, allowlist: []}, missionPolicy: {allowedUserIds: ['u']}};
	const found = settingsInForce(differencesOf([{revision: 1, settings}]));
	expect(found.map(({path, value, isDefault}) => [path.join('.'), value, isDefault])).toEqual([
		['mcpPolicy.allowlist', [], undefined],
		['mcpPolicy.enabled', true, undefined],
		['missionPolicy.allowedUserIds', ['u'], undefined],
		['missionPolicy.restrictedAccess', false, true],
	]);
	expect(settingsInForce([])).toEqual([]);
});
