import {existsSync, statSync} from 'node:fs';
import {DatabaseSync} from 'node:sqlite';
import type {Settings} from '../../config/settings.ts';
import {prepareStateFolder} from '../../config/state-folder.ts';
import {isSound} from '../../db/open-file.ts';
import {byteSize} from '../../text/size.ts';
import {type Check, ok, problem} from './check.ts';

/** The state folder, the database in it and sqlite itself. The database is only read. */
export function checkStorage({stateFolder, databaseFile}: Settings): Check[] {
	const refused = prepareStateFolder(stateFolder);
	return [
		refused ? problem('state folder', stateFolder, refused) : ok('state folder', stateFolder),
		checkSqlite(),
		checkDatabase(databaseFile),
	];
}

function checkSqlite(): Check {
	const version = process.versions.sqlite ?? 'unknown';
	if (isSound(version)) return ok('sqlite', version);
	return problem('sqlite', version, 'install a newer Node: this sqlite can damage its files');
}

function checkDatabase(file: string): Check {
	if (!existsSync(file)) return ok('database', `${file}: not made yet`);
	let database: DatabaseSync | undefined;
	try {
		database = new DatabaseSync(file, {readOnly: true});
		const schema = Object.values(database.prepare('PRAGMA user_version').get() ?? {})[0];
		const verdict = Object.values(database.prepare('PRAGMA integrity_check(1)').get() ?? {})[0];
		const found = `${file}: ${byteSize(statSync(file).size)}, schema ${schema}`;
		if (verdict === 'ok') return ok('database', found);
		return problem(
			'database',
			`${found}: ${verdict}`,
			'open the screen: it saves what it can and starts anew',
		);
	} catch (error) {
		const {message} = error as Error;
		return problem('database', `${file}: ${message}`, 'check its mode and its folder, or move it away');
	} finally {
		database?.close();
	}
}
