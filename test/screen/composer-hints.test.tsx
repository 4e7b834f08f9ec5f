import {afterEach, test} from 'vitest';
import {openSession} from '../../src/ui/open-session.ts';
import {appParts} from '../support/app-parts.ts';
import {fakeClock} from '../support/fake-clock.ts';
import {openScreen, type Screen} from '../support/screen.tsx';
import {fillWithWork} from '../support/work-sample.ts';

let screen: Screen;
afterEach(() => screen.close());

const has = (words: string) => (rows: readonly string[]) => rows.join('\n').includes(words);

test('a composer beside the lists says how to get there from where Enter opens something else', async () => {
	const clock = fakeClock();
	const parts = appParts(clock);
	fillWithWork(parts.stores, clock.now());
	screen = openScreen(parts, 120, 40);
	await screen.rows();
	openSession(parts, 's-api', 'main');
	parts.view.setState({focus: 'lists', cursor: {section: 'sessions', id: 's-api'}});
	await screen.until(has('Space writes, Enter opens it'));
	parts.view.setState({cursor: {section: 'computers', id: 'build-box'}});
	await screen.until(has('Tab goes to the session, then Space or Enter writes'));
});
