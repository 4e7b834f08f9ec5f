import {expect, onTestFinished, test, vi} from 'vitest';
import type {Service} from '../../src/api/service.ts';
import {appParts} from '../support/app-parts.ts';
import {fakeClock} from '../support/fake-clock.ts';
import {has, openScreen} from '../support/screen.tsx';
import {fillWithWork} from '../support/work-sample.ts';

/** What the first load of the changes waits for. */
const firstLoad = vi.hoisted(() => ({until: Promise.resolve()}));
vi.mock('../../src/ui/dialogs/diff/diff-view.tsx', async load => {
	await firstLoad.until;
	return load();
});

/** The Work view at a session whose changes can be shown. */
async function work() {
	const clock = fakeClock();
	const workFolders = {diff: async () => ({branch: 'main', files: []})};
	const parts = appParts(clock, {service: {workFolders} as unknown as Service});
	fillWithWork(parts.stores, clock.now());
	const screen = openScreen(parts, 120, 40);
	onTestFinished(() => screen.close());
	await screen.until(has('fix-login'));
	parts.view.setState({cursor: {section: 'sessions', id: 's-api'}, focus: 'lists'});
	return {screen, dialogs: () => parts.view.getState().dialogs};
}

test('Esc while the changes open for the first time keeps them closed', async () => {
	const {promise, resolve: goOn} = Promise.withResolvers<void>();
	firstLoad.until = promise;
	const {screen, dialogs} = await work();
	await screen.press('d', '\x1b');
	await screen.until(has('Stopped waiting'));
	goOn();
	await Promise.all([
		import('../../src/ui/dialogs/diff/diff-view.tsx'),
		import('../../src/ui/dialogs/diff/diff-keys.ts'),
	]);
	await screen.press('j');
	expect(dialogs()).toEqual([]);
});

test('keys typed while the changes open for the first time go to them', async () => {
	const {screen, dialogs} = await work();
	await screen.press('d', 'e', '/', 'x');
	await screen.until(has('Changes · api-migration'));
	expect(dialogs()).toMatchObject([{kind: 'diff', find: {words: 'x'}}]);
});
