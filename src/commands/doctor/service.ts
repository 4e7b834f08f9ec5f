import {createHash} from 'node:crypto';
import {ForbiddenError, isServiceError} from '../../api/errors.ts';
import type {ServiceAddress} from '../../config/config.ts';
import type {KeySource} from '../../config/key-source.ts';
import {withKey} from '../../config/load-config.ts';
import type {Settings, SettingsInput} from '../../config/settings.ts';
import {localFolder} from '../../embedded-service.ts';
import {Wiring} from '../../wiring.ts';
import {type Check, ok, problem, warning} from './check.ts';

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
	if (settings.mode === 'local') return [await checkLocal(settings)];
	const {remote} = settings;
	if (!remote) {
		return [
			warning(
				'service',
				'none configured',
				'set QUARTERDECK_BASE_URL and QUARTERDECK_API_KEY, or use --local',
			),
		];
	}
	const checks = [ok('base address', remote.baseUrl), ok('app address', remote.appUrl)];
	try {
		const {service} = await withKey(settings, input.env);
		if (!service) return checks;
		checks.push(ok('key', `${sourceWords(remote.keySource)}, fingerprint ${fingerprint(service)}`));
		return [...checks, ...(await ask(settings, service, signal))];
	} catch (error) {
		return [...checks, problem('key', 'not available', (error as Error).message)];
	}
}

function sourceWords(source: KeySource | undefined): string {
	if (source?.kind === 'file') return `from the file ${source.file}`;
	return source?.kind === 'command' ? 'from the key command' : 'from the environment';
}

function fingerprint({key}: ServiceAddress): string {
	return createHash('sha256').update(key.reveal()).digest('hex').slice(0, 12);
}

async function ask(settings: Settings, service: ServiceAddress, signal: AbortSignal): Promise<Check[]> {
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
		await (await wiring.connect()).users.list({limit: 1}, {signal});
		checks.push(ok('service', `responds in ${Math.round(latency)} ms`));
	} catch (error) {
		if (!isServiceError(error)) throw error;
		const isReached = error instanceof ForbiddenError;
		checks.push(
			isReached
				? ok('service', "responds; this key can't list users")
				: problem('service', error.what, error.hint),
		);
	} finally {
		await wiring.close();
	}
	if (skew !== undefined) checks.push(skewCheck(skew));
	return checks;
}

function skewCheck(skew: number): Check {
	const found = `the service's clock is ${(skew / 1000).toFixed(1)} s ahead of this machine's`;
	if (Math.abs(skew) < maxSkew) return ok('clock', found);
	return warning('clock', found, "set this machine's clock, or the ages on the screen will be wrong");
}

async function checkLocal(settings: Settings): Promise<Check> {
	const {findRunning} = await import('../../local/attach.ts');
	const folder = localFolder(settings);
	try {
		const running = findRunning(folder);
		if (running) return ok('embedded service', `runs in process ${running.pid}, socket ${running.socket}`);
		return ok('embedded service', `not running; the next --local starts it in ${folder}`);
	} catch (error) {
		return problem('embedded service', folder, (error as Error).message);
	}
}
