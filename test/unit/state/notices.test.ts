import {expect, test} from 'vitest';
import {addNotice, withdrawNotice} from '../../../src/state/notices.ts';
import {createStores} from '../../../src/state/stores.ts';
import {noon} from '../../support/fleet.ts';

test('withdrawing a notice drops those below it, except those whose cause still exists', () => {
	const notices = createStores().notices;
	const add = (text: string, end: {readonly until?: number; readonly isCurrent?: () => boolean}) =>
		addNotice(notices, {tone: 'bad', text, at: noon, ...end});
	const later = noon + 1000;
	add('unwritable', {isCurrent: () => true});
	add('mended', {isCurrent: () => false});
	add('ended', {until: later, isCurrent: () => true});
	add('said once', {});
	add('incident', {isCurrent: () => true});
	const incident = notices.getState().list.at(-1)?.id ?? 0;
	add('newer', {});
	withdrawNotice(notices, incident, later);
	expect(notices.getState().list.map(({text}) => text)).toEqual(['unwritable', 'newer']);
});
