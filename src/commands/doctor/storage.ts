import {existsSync} from 'node:fs';
import {join} from 'node:path';
import {DatabaseSync} from 'node:sqlite';
import {machineFile} from '../../account-files.ts';
import {prepareStateFolder} from '../../config/ownership.ts';
import type {Settings} from '../../config/settings.ts';
import {
	bytesOnDisk,
	hasSoundWal,
	isMissing,
	openingTimeout,
	requireRegularFiles,
} from '../../db/file/open-file.ts';
import {schemaVersion} from '../../db/file/schema.ts';
import {adviceFor, reasonOf} from '../../db/file/storage-error.ts';
import {incidentsSetting, readIncidents} from '../../db/settings.ts';
import {type Account, normalAddress} from '../../domain/accounts/account.ts';
import {byteSize} from '../../text/values/numbers.ts';
import {type Check, ok, problem, warning} from './check.ts';
import {strings} from './strings.ts';

const {storage: text} = strings;

/** Checks the state folder, its databases and sqlite itself. Only reads the databases. */
export function checkStorage(settings: Settings): Check[] {
	const {stateFolder, mode} = settings;
	const refusal = prepareStateFolder(stateFolder, true);
	return [
		refusal ? problem('state folder', stateFolder, refusal) : ok('state folder', stateFolder),
		checkSqlite(),
		...checkDatabase('machine database', machineFile(stateFolder), ownFaults),
		...checkAccounts(settings),
		...(mode === 'local'
			? checkDatabase('service database', join(stateFolder, 'local', 'service.sqlite'), () => [])
			: []),
	];
}

/** Checks the databases of the current service's accounts. Needs no key. */
function checkAccounts({stateFolder, mode, remote}: Settings): Check[] {
	const all = readAccounts(machineFile(stateFolder));
	if (all.length === 0) return [ok('accounts', text.noAccounts)];
	const address = remote && normalAddress(remote.baseUrl);
	const ofService = all.filter(one => (mode === 'local' ? one.kind === 'local' : one.address === address));
	return [
		ok('accounts', text.accounts(all.length, ofService.length)),
		...ofService.flatMap(({file}) => checkDatabase('database', join(stateFolder, file), ownFaults)),
	];
}

/** Reads the accounts without creating or repairing anything. The file's own check reports an unreadable file. */
function readAccounts(file: string): Account[] {
	if (!existsSync(file)) return [];
	let database: DatabaseSync | undefined;
	try {
		requireRegularFiles(file);
		database = new DatabaseSync(file, {readOnly: true, timeout: openingTimeout});
		const rows = database.prepare('SELECT body FROM accounts').all();
		return rows.map(({body}) => JSON.parse(String(body)) as Account).filter(({kind}) => kind !== 'none');
	} catch {
		return [];
	} finally {
		database?.close();
	}
}

function checkSqlite(): Check {
	const version = process.versions.sqlite ?? text.unknownVersion;
	if (hasSoundWal(version)) return ok('sqlite', version);
	return problem('sqlite', version, text.sqliteAdvice);
}

function checkDatabase(
	name: string,
	file: string,
	faultsOf: (database: DatabaseSync, schema: number) => Check[],
): Check[] {
	let database: DatabaseSync | undefined;
	try {
		requireRegularFiles(file);
		if (isMissing(file)) return [ok(name, text.notCreated(file))];
		database = new DatabaseSync(file, {readOnly: true, timeout: openingTimeout});
		const schema = Number(firstValue(database, 'PRAGMA user_version'));
		const verdict = firstValue(database, 'PRAGMA integrity_check(1)');
		const found = text.database(file, byteSize(bytesOnDisk(file)), schema);
		if (verdict !== 'ok') return [problem(name, text.fault(found, String(verdict)), text.recover)];
		const faults = faultsOf(database, schema).map(fault => ({
			...fault,
			found: text.fault(found, fault.found),
		}));
		return faults.length > 0 ? faults : [ok(name, found)];
	} catch (error) {
		const {message} = error as Error;
		return [problem(name, text.fault(file, message), adviceFor(reasonOf(error), error))];
	} finally {
		database?.close();
	}
}

/** Reports a database of a newer version, and incidents that the user hasn't acknowledged. */
function ownFaults(database: DatabaseSync, schema: number): Check[] {
	if (schema > schemaVersion) return [problem('database', text.newer, text.newerAdvice)];
	const value = database.prepare('SELECT value FROM settings WHERE name = ?').get(incidentsSetting)?.value;
	return readIncidents(value).map(({at, what}) =>
		warning('database', text.incident(new Date(at).toISOString(), what), text.incidentAdvice),
	);
}

function firstValue(database: DatabaseSync, pragma: string): unknown {
	return Object.values(database.prepare(pragma).get() ?? {})[0];
}
