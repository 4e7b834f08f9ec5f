import {addressProblem} from '../domain/address.ts';
import {ConfigError} from './config-error.ts';

/** Checks an address of the service and gives it without a trailing slash. `from` names the setting in errors. */
export function parseAddress(text: string, from: string): string {
	const problem = addressProblem(text);
	if (problem !== undefined)
		throw new ConfigError(`${from} ${problem}: use an address such as https://host.example`);
	const {origin, pathname} = new URL(text);
	return origin + pathname.replace(/\/$/, '');
}
