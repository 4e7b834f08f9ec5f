import {accessSync, existsSync, statSync} from 'node:fs';
import {join} from 'node:path';
import {DatabaseSync} from 'node:sqlite';
import {machineFile} from '../../accounts.ts';
import type {Settings} from '../../config/settings.ts';
import {prepareStateFolder} from '../../config/state-folder.ts';
import {isEmptied, requireRegularFiles} from '../../db/file-identity.ts';
import {incidentsSetting, readIncidents} from '../../db/incidents.ts';
import {migrations} from '../../db/migrations.ts';
import {isIntact, openingTimeout, openMemory} from '../../db/open-file.ts';
import {adviceFor, reasonOf} from '../../db/storage-error.ts';
import {type Account, noAccount, normalAddress} from '../../domain/accounts/account.ts';
import {byteSize} from '../../text/values/numbers.ts';
import {type Check, ok, problem, warning} from './check.ts';

const remedy = 'open the screen: it recovers what it can into a new file';

/** Checks the state folder, its databases and sqlite itself. Only reads the databases. */
export function checkStorage(settings: Settings): Check[] {
	const {stateFolder, mode} = settings;
	const refused = prepareStateFolder(stateFolder);
	return [
		refused ? problem('state folder', stateFolder, refused) : ok('state folder', stateFolder),
		checkSqlite(),
		...checkDatabase('machine database', machineFile(stateFolder), ownFaults),
		...checkAccounts(settings),
		...(mode === 'local'
			? checkDatabase('service database', join(stateFolder, 'local', 'service.sqlite'), () => [])
			: []),
	];
}

/**
 * Checks the databases of the current service's accounts; warns about accounts of an unknown service. Needs
 * no key.
 */
function checkAccounts({stateFolder, mode, remote}: Settings): Check[] {
	const all = readAccounts(machineFile(stateFolder));
	if (all.length === 0) return [ok('accounts', 'none yet')];
	const address = remote && normalAddress(remote.baseUrl);
	const ofService = all.filter(one => (mode === 'local' ? one.kind === 'local' : one.address === address));
	const unknown = all.filter(({kind}) => kind === 'unknown');
	const found = `${all.length} known, ${ofService.length} for this service`;
	const advice = 'quarterdeck accounts list shows them; quarterdeck accounts join assigns one';
	return [
		unknown.length === 0
			? ok('accounts', found)
			: warning('accounts', `${found}, ${unknown.length} for an unknown service`, advice),
		...ofService.flatMap(({file}) => checkDatabase('database', join(stateFolder, file), ownFaults)),
	];
}

/**
 * Reads the accounts without creating or repairing anything. The file's own check reports an unreadable file.
 */
function readAccounts(file: string): Account[] {
	if (!existsSync(file)) return [];
	let database: DatabaseSync | undefined;
	try {
		requireRegularFiles(file);
		database = new DatabaseSync(file, {readOnly: true, timeout: openingTimeout});
		const rows = database.prepare('SELECT body FROM accounts').all();
		return rows
			.map(({body}) => JSON.parse(String(body)) as Account)
			.filter(({id, joinedTo}) => joinedTo === undefined && id !== noAccount);
	} catch {
		return [];
	} finally {
		database?.close();
	}
}

function checkSqlite(): Check {
	const version = process.versions.sqlite ?? 'unknown';
	if (isIntact(version)) return ok('sqlite', version);
	return problem('sqlite', version, 'install a newer Node: this sqlite can damage its files');
}

function checkDatabase(
	name: string,
	file: string,
	faultsOf: (database: DatabaseSync, schema: number) => Check[],
): Check[] {
	let database: DatabaseSync | undefined;
	try {
		requireRegularFiles(file);
		if (isEmptied(file)) return [problem(name, `${file}: missing or empty, but its log is not`, remedy)];
		if (!isThere(file)) return [ok(name, `${file}: not created yet`)];
		database = new DatabaseSync(file, {readOnly: true, timeout: openingTimeout});
		const schema = Number(firstValue(database, 'PRAGMA user_version'));
		const verdict = firstValue(database, 'PRAGMA integrity_check(1)');
		const found = `${file}: ${byteSize(statSync(file).size)}, schema ${schema}`;
		if (verdict !== 'ok') return [problem(name, `${found}: ${verdict}`, remedy)];
		const faults = faultsOf(database, schema).map(fault => ({...fault, found: `${found}: ${fault.found}`}));
		return faults.length > 0 ? faults : [ok(name, found)];
	} catch (error) {
		const {message} = error as Error;
		return [problem(name, `${file}: ${message}`, adviceFor(reasonOf(error), error))];
	} finally {
		database?.close();
	}
}

/**
 * Whether the file exists. Throws node:fs errors when the path itself is broken, such as a file in place of a
 * folder.
 */
function isThere(file: string): boolean {
	try {
		accessSync(file);
		return true;
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
		throw error;
	}
}

/** Reports what an intact database may lack and what happened to it. */
function ownFaults(database: DatabaseSync, schema: number): Check[] {
	if (schema > migrations.length)
		return [problem('database', 'written by a newer Quarterdeck', 'Update Quarterdeck')];
	const lacking = schema < migrations.length ? [] : missingTables(database);
	if (lacking.length > 0) return [problem('database', `missing tables: ${lacking.join(', ')}`, remedy)];
	const value = database.prepare('SELECT value FROM settings WHERE name = ?').get(incidentsSetting)?.value;
	return readIncidents(value).map(({at, what}) =>
		warning(
			'database',
			`${new Date(at).toISOString()} ${what}`,
			'check what is missing; quarterdeck doctor --acknowledge clears this warning',
		),
	);
}

function missingTables(database: DatabaseSync): string[] {
	const whole = openMemory();
	try {
		const there = new Set(tablesOf(database));
		return tablesOf(whole).filter(name => !there.has(name));
	} finally {
		whole.close();
	}
}

function tablesOf(database: DatabaseSync): string[] {
	const rows = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
	return rows.map(({name}) => String(name));
}

function firstValue(database: DatabaseSync, pragma: string): unknown {
	return Object.values(database.prepare(pragma).get() ?? {})[0];
}
