import {addressProblem} from '../domain/accounts/account.ts';
import {ConfigError} from './config-error.ts';

/**
 * Validates a service address and returns it without a trailing slash. `from` names the setting in errors.
 * Throws `ConfigError`.
 */
export function parseAddress(text: string, from: string): string {
	const problem = addressProblem(text);
	if (problem !== undefined)
		throw new ConfigError(`${from} ${problem}: use an address such as https://host.example`);
	const {origin, pathname} = new URL(text);
	return origin + pathname.replace(/\/$/, '');
}
