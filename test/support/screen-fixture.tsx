import {render} from 'ink';
import {systemClock} from '../../src/domain/clock.ts';
import {App} from '../../src/ui/app.tsx';
import {openSession} from '../../src/ui/open-session.ts';
import {appParts} from './app-parts.ts';
import {fillWithWork} from './work-sample.ts';

/** The screen over stores filled by hand, to be looked at in a terminal: `screen-fixture [empty|first|session]`. */
const what = process.argv[2] ?? 'session';
const parts = appParts(systemClock, {
	profile: {isConnected: what !== 'first'},
	program: {quit: () => app.unmount()},
});
if (what === 'session') {
	fillWithWork(parts.stores, Date.now());
	openSession(parts, 's-api', 'main');
} else if (what === 'work') fillWithWork(parts.stores, Date.now());
const colors = process.env.NO_COLOR ? 'none' : process.env.COLORTERM === 'truecolor' ? 'truecolor' : '256';
parts.display.setState({colors});
const app = render(<App parts={parts} />, {
	alternateScreen: true,
	incrementalRendering: true,
	maxFps: 120,
	exitOnCtrlC: false,
	patchConsole: false,
	kittyKeyboard: {mode: 'auto'},
});
