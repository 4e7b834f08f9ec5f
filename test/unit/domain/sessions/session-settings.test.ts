import {expect, test} from 'vitest';
import {
	lostSettings,
	settingsPatch,
	withoutChange,
} from '../../../../src/domain/sessions/session-settings.ts';

const known = {
	model: 'm1',
	tags: [{name: 'a', metadata: {owner: 'me'}}, {name: 'b'}],
	enabledToolIds: ['t1'],
};
const same = {
	model: 'm1',
	specModeModel: '',
	tags: ['a', 'b'],
	enabledToolIds: ['t1'],
	disabledToolIds: [],
};

test.each([
	['nothing was changed', same, undefined],
	['another model', {...same, model: 'm2'}, {model: 'm2'}],
	['no model: the contract has no value for that', {...same, model: ''}, undefined],
	[
		'a tag more: the others keep their metadata',
		{...same, tags: ['a', 'b', 'c']},
		{tags: [{name: 'a', metadata: {owner: 'me'}}, {name: 'b'}, {name: 'c'}]},
	],
	['clear the tags', {...same, tags: []}, {tags: []}],
	[
		'tools',
		{...same, enabledToolIds: [], disabledToolIds: ['t1']},
		{enabledToolIds: [], disabledToolIds: ['t1']},
	],
])('%s', (_, wanted, patch) => {
	expect(settingsPatch(known, wanted)).toEqual(patch);
});

test('names the settings that an update dropped; an answer without settings says nothing', () => {
	expect(lostSettings(known, {model: 'm2'}, {model: 'm2'})).toEqual(['tags', 'enabledToolIds']);
	expect(lostSettings(known, {tags: []}, {...known, tags: []})).toEqual([]);
	expect(lostSettings(known, {model: 'm2'}, undefined)).toEqual([]);
});

test('an undone change of tags keeps what others have changed since, and restores metadata', () => {
	const tag = (name: string, color?: string) => ({name, ...(color !== undefined && {metadata: {color}})});
	const before = [tag('kept'), tag('gone', 'red'), tag('dropped')];
	const after = [tag('kept'), tag('dropped'), tag('ours')];
	const now = [tag('ours'), tag('kept', 'blue'), tag('theirs')];
	expect(withoutChange(now, {before, after})).toEqual([
		tag('kept', 'blue'),
		tag('gone', 'red'),
		tag('theirs'),
	]);
});
