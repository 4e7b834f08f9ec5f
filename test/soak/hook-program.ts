import {writeSync} from 'node:fs';
import {UnreachableError} from '../../src/api/errors.ts';
import {Connection, createService} from '../../src/api/service.ts';
import {openDatabase} from '../../src/db/open-database.ts';
import {systemClock} from '../../src/domain/clock.ts';
import {createStores} from '../../src/state/stores.ts';
import {Engine} from '../../src/sync/engine.ts';

/**
 * `hook-program DATABASE`: all of a program but its screen, somebody looking at the event log. Says on standard output
 * `r` when it listens, `p ID` for each event that the log opened with, `d ID` for each that was shown since, and `c ID`
 * for each that called the user.
 */
const [file = ''] = process.argv.slice(2);
const database = openDatabase({file});
const trouble = database.problem ?? database.incidents.all().at(-1)?.what;
if (trouble) throw new Error(trouble);
const stores = createStores();
const engine = new Engine({
	service: createService(
		new Connection(async () => {
			throw new UnreachableError('There is no service.', {hint: 'None is needed.'});
		}),
	),
	database,
	stores,
	clock: systemClock,
	owner: String(process.pid),
	onHookUpdate: ({event, alert}) => alert && writeSync(1, `c ${event.id}\n`),
});
let word = 'p';
let last = Number.NEGATIVE_INFINITY;
stores.events.subscribe(({entries}) => {
	const fresh = entries.filter(({number}) => number > last);
	last = entries.at(-1)?.number ?? last;
	writeSync(1, fresh.map(({event}) => `${word} ${event.id}\n`).join(''));
});
engine.hooks.feed.watch();
word = 'd';
void engine.start().then(() => writeSync(1, 'r\n'));
