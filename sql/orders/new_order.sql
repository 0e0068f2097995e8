/* ramknee:orders/new_order */
/* One order.  @lines: @n x 12 bytes, big-endian int (item, supplying warehouse, quantity), sorted by (warehouse, item) by the
   client: rows are locked in the order of their key, so that orders wait for each other but never in a circle.  An item that is
   not there (the client puts it last, in 1 % of the orders) rolls the order back: return status 1.  @window > 0: the order that
   falls out of the last @window orders of the district is removed, delivered or not: the data do not grow.  The district's row
   guards all orders of the district.  The warehouse is read before that row is locked: Payment locks them in that order. */
CREATE PROCEDURE dbo.rk_new_order
    @w int,
    @d tinyint,
    @c int,
    @n tinyint,
    @lines varbinary(180),
    @window int,
    @o int OUTPUT,
    @total_cents bigint OUTPUT
AS
SET NOCOUNT ON;
SET XACT_ABORT ON;
DECLARE
    @k int = 0, @i int, @sw int, @q int, @old int, @local tinyint = 1, @total decimal(12, 2),
    @w_tax decimal(4, 4), @d_tax decimal(4, 4), @discount decimal(4, 4), @now datetime = GETDATE();
BEGIN TRY
    BEGIN TRANSACTION;
    SELECT @w_tax = w.w_tax, @discount = c.c_discount
    FROM dbo.warehouse AS w
    INNER JOIN dbo.customer AS c ON c.c_w_id = w.w_id
    WHERE w.w_id = @w AND c.c_d_id = @d AND c.c_id = @c
    OPTION (FORCE ORDER);
    UPDATE dbo.district
    SET
        d_next_o_id = d_next_o_id + 1,
        d_next_delivery = CASE
            WHEN @window > 0 AND d_next_delivery <= d_next_o_id - @window THEN d_next_o_id - @window + 1
            ELSE d_next_delivery
        END
    WHERE d_w_id = @w AND d_id = @d;
    SELECT @o = d_next_o_id - 1, @d_tax = d_tax FROM dbo.district WHERE d_w_id = @w AND d_id = @d;
    WHILE @k < @n
    BEGIN
        SET @i = CONVERT(int, SUBSTRING(@lines, @k * 12 + 1, 4));
        SET @sw = CONVERT(int, SUBSTRING(@lines, @k * 12 + 5, 4));
        SET @q = CONVERT(int, SUBSTRING(@lines, @k * 12 + 9, 4));
        SET @k = @k + 1;
        IF @sw <> @w SET @local = 0;
        UPDATE dbo.stock
        SET
            s_quantity = CASE WHEN s_quantity >= @q + 10 THEN s_quantity - @q ELSE s_quantity - @q + 91 END,
            s_ytd = s_ytd + @q,
            s_order_cnt = s_order_cnt + 1,
            s_remote_cnt = s_remote_cnt + CASE WHEN @sw = @w THEN 0 ELSE 1 END
        WHERE s_w_id = @sw AND s_i_id = @i;
        INSERT INTO dbo.order_line (
            ol_w_id, ol_d_id, ol_o_id, ol_number, ol_i_id, ol_supply_w_id, ol_delivery_d, ol_quantity, ol_amount, ol_dist_info
        )
        SELECT @w, @d, @o, @k, s.s_i_id, s.s_w_id, '19000101', @q, @q * i.i_price, SUBSTRING(s.s_dist, @d * 24 - 23, 24)
        FROM dbo.item AS i
        INNER JOIN dbo.stock AS s ON s.s_i_id = i.i_id
        WHERE i.i_id = @i AND s.s_w_id = @sw;
        IF @@ROWCOUNT = 0
        BEGIN
            ROLLBACK TRANSACTION;
            RETURN 1;
        END;
    END;
    SELECT @total = SUM(ol_amount) FROM dbo.order_line WHERE ol_w_id = @w AND ol_d_id = @d AND ol_o_id = @o;
    INSERT INTO dbo.orders (o_w_id, o_d_id, o_id, o_c_id, o_entry_d, o_carrier_id, o_ol_cnt, o_all_local)
    VALUES (@w, @d, @o, @c, @now, 0, @n, @local);
    INSERT INTO dbo.new_order (no_w_id, no_d_id, no_o_id) VALUES (@w, @d, @o);
    IF @window > 0
    BEGIN
        SET @old = @o - @window;
        DELETE FROM dbo.order_line WHERE ol_w_id = @w AND ol_d_id = @d AND ol_o_id = @old;
        DELETE FROM dbo.orders WHERE o_w_id = @w AND o_d_id = @d AND o_id = @old;
        DELETE FROM dbo.new_order WHERE no_w_id = @w AND no_d_id = @d AND no_o_id = @old;
    END;
    COMMIT TRANSACTION;
    SET @total_cents = CONVERT(bigint, @total * (1 - @discount) * (1 + @w_tax + @d_tax) * 100);
    RETURN 0;
END TRY
BEGIN CATCH
    IF XACT_STATE() <> 0 ROLLBACK TRANSACTION;
    THROW;
END CATCH;
