import {createHash} from 'node:crypto';
import {askForService} from '../../api/ask-for-service.ts';
import {isServiceError} from '../../api/errors.ts';
import {proxyFor, shownProxy} from '../../config/address.ts';
import type {ServiceAddress} from '../../config/config.ts';
import type {KeySource} from '../../config/key-source.ts';
import {type Settings, type SettingsInput, withKey} from '../../config/settings.ts';
import {userName} from '../../config/user-name.ts';
import {localFolder} from '../../embedded-service.ts';
import {lingers, logoutEnds} from '../../local/logout.ts';
import {findService} from '../../reach-service.ts';
import {Wiring} from '../../wiring.ts';
import {strings as commandStrings} from '../strings.ts';
import {type Check, ok, problem, warning} from './check.ts';
import {strings} from './strings.ts';

const {service: text} = strings;
const {serve} = commandStrings;

/** A larger clock skew makes times on the screen misleading, ms. */
const maxSkew = 30_000;

/**
 * Checks the addresses, the key and the connection to the service. Reports only the key's origin and
 * fingerprint, never the key.
 */
export async function checkService(
	settings: Settings,
	input: SettingsInput,
	signal: AbortSignal,
): Promise<Check[]> {
	if (settings.mode === 'local') return [await checkLocal(settings), ...(await checkLogout())];
	const {remote} = settings;
	if (!remote) {
		return [warning('service', text.none, text.noneAdvice)];
	}
	const checks = [ok('base address', remote.baseUrl), ok('app address', remote.appUrl)];
	try {
		const proxy = proxyFor(new URL(remote.baseUrl), input.env);
		if (proxy) checks.push(ok('proxy', shownProxy(proxy)));
	} catch (error) {
		return [...checks, problem('proxy', text.wrongProxy, (error as Error).message)];
	}
	try {
		const {service} = await withKey(settings, input.env);
		if (!service) return checks;
		checks.push(ok('key', text.key(sourceText(remote.keySource), fingerprint(service))));
		return [...checks, ...(await checkConnection(settings, service, signal))];
	} catch (error) {
		return [...checks, problem('key', text.noKey, (error as Error).message)];
	}
}

function sourceText(source: KeySource | undefined): string {
	if (source?.kind === 'file') return text.keyFile(source.file);
	return source?.kind === 'command' ? text.keyCommand : text.keyEnvironment;
}

function fingerprint({key}: ServiceAddress): string {
	return createHash('sha256').update(key.reveal()).digest('hex').slice(0, 12);
}

async function checkConnection(
	settings: Settings,
	service: ServiceAddress,
	signal: AbortSignal,
): Promise<Check[]> {
	let skew: number | undefined;
	let latency = 0;
	const wiring = new Wiring(
		{...settings, service},
		{
			retries: 0,
			onResponse(info) {
				skew = info.skewMs ?? skew;
				latency = info.latency;
			},
		},
	);
	const checks: Check[] = [];
	try {
		const answer = await askForService(await wiring.connect(), signal);
		const {responds, respondsForbidden} = text;
		checks.push(ok('service', answer === 'forbidden' ? respondsForbidden : responds(Math.round(latency))));
	} catch (error) {
		if (!isServiceError(error)) throw error;
		checks.push(problem('service', error.what, error.hint));
	} finally {
		await wiring.close();
	}
	if (skew !== undefined) checks.push(skewCheck(skew));
	return checks;
}

function skewCheck(skew: number): Check {
	const found = text.clock(skew / 1000);
	if (Math.abs(skew) < maxSkew) return ok('clock', found);
	return warning('clock', found, text.clockAdvice);
}

async function checkLocal(settings: Settings): Promise<Check> {
	const folder = localFolder(settings);
	try {
		const running = await findService(folder);
		if (running) return ok('embedded service', serve.running(running));
		return ok('embedded service', serve.notRunning(folder));
	} catch (error) {
		return problem('embedded service', folder, (error as Error).message);
	}
}

async function checkLogout(): Promise<Check[]> {
	const ends = await logoutEnds();
	if (ends === 'nothing' || (ends === 'session' && (await lingers(userName())))) return [];
	return [warning('logout', text.logout, ends === 'all' ? text.logoutAdvice : text.lingerAdvice(userName()))];
}
