import {openDatabase} from '../../src/db/open-database.ts';

/** A process that tries for the lease of each row as another one does, and says which it got. */
const [file = '', owner = '', rows = '0'] = process.argv.slice(2);
const database = openDatabase({file});
process.stdout.write('ready\n');
process.stdin.once('data', () => {
	const got: number[] = [];
	for (let row = 0; row < Number(rows); row++) {
		if (database.outbox.lease(`${row}`, owner, Date.now() + 60_000)) got.push(row);
	}
	process.stdout.write(`${JSON.stringify(got)}\n`, () => process.exit(0));
});
