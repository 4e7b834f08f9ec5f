import {lookUp} from '../../actions/fleet.ts';
import type {CallOptions} from '../../api/client.ts';
import {isServiceError, NotFoundError, UnauthorizedError, ValidationError} from '../../api/errors.ts';
import type {Service} from '../../api/service.ts';
import type {CommandContext} from './context.ts';
import {cliStrings} from './strings.ts';

/**
 * Throws `ValidationError` if the id that is to be added can't be one, `NotFoundError` if the service doesn't have it, and
 * `UnauthorizedError` if it refuses the key, whose account would get the id. Only notes any other failure.
 */
export async function checkId(
	{output, signal, wiring}: CommandContext,
	id: string,
	call: (service: Service, options: CallOptions) => Promise<unknown>,
): Promise<void> {
	const {service} = await wiring();
	const failure = await lookUp(options => call(service, options), signal);
	signal.throwIfAborted();
	if (
		failure instanceof NotFoundError ||
		failure instanceof UnauthorizedError ||
		failure instanceof ValidationError
	)
		throw failure;
	if (!failure) return;
	const why = isServiceError(failure) ? failure.what : cliStrings.registry.noAnswer;
	output.note(cliStrings.registry.notChecked(id, why));
}
